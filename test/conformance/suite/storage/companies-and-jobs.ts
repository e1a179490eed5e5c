import { type Job, NO_SYNC } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import type { HeldJob, JobSyncState } from '../../../../packages/core/src/features/jobs-sync/rules.js';
import {
  COMPANY_ID,
  JOB_ID,
  KEY_ID,
  OTHER_COMPANY_ID,
  OTHER_JOB_ID,
  OTHER_KEY_ID,
  PARTNER_ID,
  sampleCompany,
  sampleJob,
  samplePartner,
  sampleSecret,
  seed,
  T0,
} from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

export function describeCompaniesAndJobs<HostTx>(open: OpenStorage<HostTx>): void {
  describe('companies, access and jobs', () => {
    const opened = useStorage(open);

    it('adds companies, renames one, and lists the oldest first', async () => {
      const { companies } = opened.direct;
      await companies.addMissing([sampleCompany('co_b', T0 + 1), sampleCompany('co_c', T0)]);
      await companies.save({ ...sampleCompany('co_b'), name: 'New name', environment: 'sandbox' });
      expect(await companies.find('co_b')).toEqual({ ...sampleCompany('co_b', T0 + 1), name: 'New name' });
      expect((await companies.list()).map(({ id }) => id)).toEqual(['co_c', 'co_b']);
    });

    it('finds companies and a key for update in the given order', async () => {
      await seed(opened.direct);
      await opened.storage.transaction(async ({ companies, keys }) => {
        const found = await companies.findForUpdate([COMPANY_ID, 'co_none', OTHER_COMPANY_ID, COMPANY_ID]);
        expect(found.map((company) => company?.id ?? null)).toEqual([
          COMPANY_ID,
          null,
          OTHER_COMPANY_ID,
          COMPANY_ID,
        ]);
        expect((await keys.findForUpdate(KEY_ID))?.id).toBe(KEY_ID);
        expect(await keys.findForUpdate('key_none')).toBeNull();
      });
    });

    it('keeps one access record for each key and company', async () => {
      await seed(opened.direct);
      const { access } = opened.direct;
      const changed = {
        keyId: KEY_ID,
        companyId: COMPANY_ID,
        grantedAt: T0 + 1,
        revokedAt: T0 + 2,
        bootstrapUntil: T0 + 3,
      };
      await access.save(changed);
      expect(await access.find(KEY_ID, COMPANY_ID)).toEqual(changed);
      expect(await access.find(KEY_ID, 'co_none')).toBeNull();
      expect(await access.listOfKey(KEY_ID)).toHaveLength(2);
      const ofCompany = await access.listOfCompanies([COMPANY_ID, COMPANY_ID]);
      expect(ofCompany.map(({ keyId }) => keyId).sort()).toEqual([KEY_ID, OTHER_KEY_ID].sort());
      expect(ofCompany).toContainEqual(changed);
    });

    it('returns a job as saved, including nulls and questions', async () => {
      await seed(opened.direct);
      const { jobs } = opened.direct;
      const bare = sampleJob('job_bare', {
        compensation: { type: 'hourly', min: null, max: null, currency: 'EUR' },
        schedule: null,
        headcount: { total: null, filled: 0 },
        applicationFormSchema: null,
        internalOnly: true,
        state: 'archived',
      });
      await jobs.save([bare]);
      expect(await jobs.find(['job_bare', 'job_none', JOB_ID])).toEqual([bare, null, sampleJob()]);
    });

    it('adds all jobs, or none and returns the existing ids', async () => {
      await seed(opened.direct);
      const { jobs } = opened.direct;
      const [first, second] = [sampleJob('job_1'), sampleJob('job_2', { companyId: OTHER_COMPANY_ID })];
      const taken = sampleJob(JOB_ID, { title: 'Chef', companyId: OTHER_COMPANY_ID });
      expect(await jobs.add([first, taken, second])).toEqual([JOB_ID]);
      expect(await jobs.find([first.id, JOB_ID, second.id])).toEqual([null, sampleJob(), null]);
      expect(await jobs.add([first, second])).toEqual([]);
      expect(await jobs.find([first.id, second.id])).toEqual([first, second]);
      expect(await jobs.add([second, first])).toEqual([second.id, first.id]);
    });

    it('replaces a job, also its company, except for its creation time', async () => {
      await seed(opened.direct);
      const { jobs } = opened.direct;
      const changes = {
        title: 'Chef',
        location: { city: 'Reno', state: 'NV', country: 'CA' },
        compensation: { type: 'hourly', min: 18.25, max: 23, currency: 'CAD' },
        schedule: 'part_time',
        headcount: { total: 4, filled: 2 },
        applicationFormSchema: [{ key: 'knives', label: 'Own knives?', type: 'boolean', required: false }],
        state: 'closed',
        internalOnly: true,
        companyId: OTHER_COMPANY_ID,
        updatedAt: T0 + 8,
        syncedIn: 'op_1',
        sourceVersion: '7 é',
      } as const;
      await jobs.save([sampleJob(JOB_ID, { ...changes, createdAt: T0 + 9 })]);
      expect(await jobs.find([JOB_ID])).toEqual([sampleJob(JOB_ID, changes)]);
    });

    it('lists a company’s jobs oldest first, and counts them, by state or all', async () => {
      await seed(opened.direct);
      const { jobs } = opened.direct;
      await jobs.save([
        sampleJob('job_2', { createdAt: T0 - 1, state: 'closed' }),
        sampleJob('job_1', { createdAt: T0 - 2 }),
      ]);
      const idsOf = async (state: 'open' | 'closed' | null) =>
        (await jobs.listOfCompany(COMPANY_ID, state)).map(({ id }) => id);
      expect(await idsOf(null)).toEqual(['job_1', 'job_2', JOB_ID]);
      expect(await idsOf('open')).toEqual(['job_1', JOB_ID]);
      expect(await idsOf('closed')).toEqual(['job_2']);
      const counts = (['open', 'closed', 'archived', null] as const).map((state) =>
        jobs.countOfCompany(COMPANY_ID, state),
      );
      expect(await Promise.all(counts)).toEqual([2, 1, 0, 3]);
      expect(await jobs.countOfCompany('co_none', null)).toBe(0);
    });

    it('lists the jobs of all companies oldest first, by state or all, page by page', async () => {
      await seed(opened.direct);
      const { jobs } = opened.direct;
      await jobs.save([
        sampleJob('job_2', { createdAt: T0 - 1, state: 'closed', companyId: OTHER_COMPANY_ID }),
        sampleJob('job_1', { createdAt: T0 - 2 }),
      ]);
      const idsOf = async (
        state: 'open' | 'closed' | 'archived' | null,
        limit = 9,
        after: Job | null = null,
      ) => (await jobs.list(state, { after, limit })).map(({ id }) => id);
      expect(await idsOf(null)).toEqual(['job_1', 'job_2', OTHER_JOB_ID, JOB_ID]);
      expect(await idsOf('open')).toEqual(['job_1', OTHER_JOB_ID, JOB_ID]);
      expect(await idsOf('archived')).toEqual([]);
      expect(await idsOf(null, 2, sampleJob('job_1', { createdAt: T0 - 2 }))).toEqual([
        'job_2',
        OTHER_JOB_ID,
      ]);
    });

    it('finds and lists jobs without their details', async () => {
      await seed(opened.direct);
      const { jobs } = opened.direct;
      const synced = sampleJob('job_1', { createdAt: T0 + 1, syncedIn: 'op_1', sourceVersion: '7' });
      await jobs.save([synced, sampleJob('job_2', { state: 'closed', syncedIn: 'op_1' })]);
      const outline = {
        id: 'job_1',
        companyId: COMPANY_ID,
        state: 'open',
        createdAt: T0 + 1,
        updatedAt: T0,
        syncedIn: 'op_1',
        sourceVersion: '7',
      };
      expect(await jobs.findOutlines(['job_1', 'job_none'])).toEqual([outline, null]);
      expect(await jobs.listOpenOutlines(true, { after: null, limit: 5 })).toEqual([outline]);
      const open = await jobs.listOpenOutlines(false, { after: sampleJob(OTHER_JOB_ID), limit: 5 });
      expect(open.map(({ id }) => id)).toEqual([JOB_ID, 'job_1']);
    });

    it('adds the companies that are missing, and finds several', async () => {
      const { companies } = opened.direct;
      expect(await companies.addMissing([])).toEqual([]);
      expect(await companies.addMissing([sampleCompany('co_a')])).toEqual(['co_a']);
      const more = [{ ...sampleCompany('co_a'), name: 'Other' }, sampleCompany('co_b')];
      expect(await companies.addMissing(more)).toEqual(['co_b']);
      expect(await companies.addMissing(more)).toEqual([]);
      expect(await companies.findMany(['co_b', 'co_none', 'co_a'])).toEqual([
        sampleCompany('co_b'),
        null,
        sampleCompany('co_a'),
      ]);
    });

    it('keeps one state of the syncs, which a transaction can lock before it exists', async () => {
      const { jobSyncs } = opened.direct;
      expect(await jobSyncs.find()).toEqual(NO_SYNC);
      const saved: JobSyncState = {
        operationId: 'op_1',
        dueAt: T0,
        applyUpTo: 7,
        isHeld: true,
        failures: 2,
        goodAt: T0 - 9,
        refusedRows: 3,
        refusedAt: T0 - 8,
        heldJobs: 30,
        heldAt: T0 - 7,
      };
      await opened.storage.transaction(async (tx) => {
        expect(await tx.jobSyncs.findForUpdate()).toEqual(NO_SYNC);
        await tx.jobSyncs.save(saved);
      });
      expect(await jobSyncs.find()).toEqual(saved);
      expect(await jobSyncs.findForUpdate()).toEqual(saved);
    });

    it('keeps the jobs that a held sync has kept open, by company and id', async () => {
      const { jobSyncs } = opened.direct;
      const held = ['co_a 1', 'co_a 3', 'co_b 2', 'co_c 0'].map((name) => {
        const [companyId, job] = name.split(' ');
        return { companyId, jobId: `job_${job}` } as HeldJob;
      });
      const [first, second, third, last] = held as [HeldJob, HeldJob, HeldJob, HeldJob];
      await jobSyncs.changeHeld({ added: held.toReversed(), removed: [] });
      await jobSyncs.changeHeld({ added: [first], removed: [last] });
      expect(await jobSyncs.listHeld(null, { after: null, limit: 9 })).toEqual([first, second, third]);
      expect(await jobSyncs.listHeld(null, { after: first, limit: 1 })).toEqual([second]);
      expect(await jobSyncs.listHeld('co_a', { after: null, limit: 9 })).toEqual([first, second]);
      expect(await jobSyncs.listHeld('co_a', { after: first, limit: 9 })).toEqual([second]);
      await jobSyncs.changeHeld({ added: [], removed: [third, first, second, last] });
      expect(await jobSyncs.listHeld(null, { after: null, limit: 9 })).toEqual([]);
    });

    it('saves more jobs than fit in one statement', async () => {
      await seed(opened.direct);
      const { jobs } = opened.direct;
      const many = Array.from({ length: 2_500 }, (_, index) => sampleJob(`job_many_${index}`));
      await jobs.save(many);
      expect(await jobs.find(many.map(({ id }) => id))).toEqual(many);
      expect(await jobs.listOfCompany(COMPANY_ID, null)).toHaveLength(many.length + 1);
    });

    it('finds jobs for submissions, with their companies, the access of the key and the state of the secret', async () => {
      await seed(opened.direct);
      const { jobs, companies, keys } = opened.direct;
      await jobs.save([sampleJob('job_new', { companyId: OTHER_COMPANY_ID })]);
      await companies.addMissing([sampleCompany('co_closed')]);
      await jobs.save([sampleJob('job_unseen', { companyId: 'co_closed' })]);
      await keys.addSecret(sampleSecret('hash-1'));
      await keys.addSecret(
        sampleSecret('hash-2', { keyId: OTHER_KEY_ID, expiresAt: T0 + 9, revokedAt: T0 + 8 }),
      );
      const ours = { keyId: KEY_ID, secretHash: 'hash-1' } as const;
      const theirs = { keyId: OTHER_KEY_ID, secretHash: 'hash-2' } as const;
      const found = await jobs.findForSubmissions([
        { ...theirs, jobId: OTHER_JOB_ID },
        { ...ours, jobId: 'not a job’s id' },
        { ...ours, jobId: 'job_unseen' },
        { ...theirs, jobId: OTHER_JOB_ID },
        { ...ours, secretHash: 'hash-3', jobId: OTHER_JOB_ID },
      ]);
      expect(found[0]?.job).toEqual({
        job: sampleJob(OTHER_JOB_ID, { companyId: OTHER_COMPANY_ID }),
        company: sampleCompany(OTHER_COMPANY_ID),
        access: {
          keyId: OTHER_KEY_ID,
          companyId: OTHER_COMPANY_ID,
          grantedAt: T0,
          revokedAt: null,
          bootstrapUntil: null,
        },
      });
      expect(found[0]?.secret).toEqual({
        secret: { expiresAt: T0 + 9, revokedAt: T0 + 8 },
        disabledAt: null,
        readAt: expect.any(Number),
      });
      expect(found[1]).toMatchObject({ secret: { secret: { revokedAt: null } }, job: null });
      expect(found[2]).toMatchObject({ job: { job: { id: 'job_unseen' }, access: null } });
      expect(found[3]?.job).toEqual(found[0]?.job);
      expect(found[4]).toEqual({ secret: null, job: null });
    });

    it('tells that the partner of a secret is disabled', async () => {
      await seed(opened.direct);
      const { jobs, keys, partners } = opened.direct;
      await keys.addSecret(sampleSecret('hash-1'));
      await partners.save({ ...samplePartner(PARTNER_ID), disabledAt: T0 });
      const [found] = await jobs.findForSubmissions([{ keyId: KEY_ID, secretHash: 'hash-1', jobId: JOB_ID }]);
      expect(found?.secret?.disabledAt).toBe(T0);
    });
  });
}
