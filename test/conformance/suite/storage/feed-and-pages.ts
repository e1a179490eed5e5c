import type { Environment, FeedPage, ListQuery } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import type { KeyJob } from '../../../../packages/core/src/ports/repositories/jobs.js';
import {
  COMPANY_ID,
  JOB_ID,
  KEY_ID,
  OTHER_COMPANY_ID,
  OTHER_JOB_ID,
  OTHER_KEY_ID,
  sampleApplication,
  sampleCompany,
  sampleJob,
  sampleKey,
  sampleSubmission,
  seed,
  T0,
} from './samples.js';
import { type OpenStorage, useSeededStorage, useStorage } from './storage-under-test.js';

const ALL: ListQuery = {
  keyId: KEY_ID,
  after: null,
  updatedSince: null,
  companyId: null,
  status: null,
  limit: 10,
};

export function describeFeedAndPages<HostTx>(open: OpenStorage<HostTx>): void {
  describe('feed', () => {
    const opened = useSeededStorage(open);

    it('takes increasing stamps for each key, starting now', async () => {
      const { feed } = opened.direct;
      const both = [
        { keyId: OTHER_KEY_ID, count: 2 },
        { keyId: KEY_ID, count: 3 },
      ] as const;
      expect(await feed.take(both, T0 + 100)).toEqual([
        { keyId: OTHER_KEY_ID, first: T0 + 100, count: 2, isRecorded: false },
        { keyId: KEY_ID, first: T0 + 100, count: 3, isRecorded: false },
      ]);
      // Stamps increase even if many are taken within a millisecond or the clock is set back.
      expect(await feed.take([{ keyId: KEY_ID, count: 1 }], T0 + 100)).toMatchObject([{ first: T0 + 103 }]);
      expect(await feed.take([{ keyId: KEY_ID, count: 1 }], T0 - 100)).toMatchObject([{ first: T0 + 104 }]);
      expect(await feed.take([{ keyId: KEY_ID, count: 1 }], T0 + 104)).toMatchObject([{ first: T0 + 105 }]);
      expect(await feed.take([{ keyId: KEY_ID, count: 1 }], T0 + 107)).toMatchObject([{ first: T0 + 107 }]);
      expect(await feed.take([], T0)).toEqual([]);
    });

    it('lists the feed heads of one environment, or of both', async () => {
      const { feed, keys } = opened.direct;
      await keys.add({ ...sampleKey('key_sandbox'), environment: 'sandbox' });
      await feed.take([{ keyId: KEY_ID, count: 3 }], T0 + 100);
      const inOrder = async (environment: Environment | null) =>
        (await feed.listHeads(environment)).toSorted((a, b) => (a.keyId < b.keyId ? -1 : 1));
      expect(await inOrder('production')).toEqual([
        { keyId: KEY_ID, environment: 'production', at: T0 + 102 },
        { keyId: OTHER_KEY_ID, environment: 'production', at: T0 },
      ]);
      expect(await inOrder('sandbox')).toEqual([{ keyId: 'key_sandbox', environment: 'sandbox', at: T0 }]);
      expect(await inOrder(null)).toHaveLength(3);
    });

    it('does not show a head before the commit', async () => {
      const headOf = async () =>
        (await opened.direct.feed.listHeads('production')).find(({ keyId }) => keyId === KEY_ID)?.at;
      const meanwhile = await opened.storage.transaction(async ({ feed }) => {
        await feed.take([{ keyId: KEY_ID, count: 1 }], T0 + 100);
        return headOf();
      });
      expect([meanwhile, await headOf()]).toEqual([T0, T0 + 100]);
    });

    it('never returns the same stamp twice to concurrent callers', async () => {
      const taken = await Promise.all(
        Array.from({ length: 20 }, () =>
          opened.storage.transaction(({ feed }) => feed.take([{ keyId: KEY_ID, count: 2 }], T0 + 1)),
        ),
      );
      const stamps = taken.flatMap(([range]) => (range ? [range.first, range.first + 1] : []));
      expect(new Set(stamps).size).toBe(40);
      expect(Math.max(...stamps)).toBe(T0 + 40);
    });
  });

  describe('pages of jobs', () => {
    const opened = useSeededStorage(open);
    const seen = (jobId: KeyJob['jobId'], changedAt: number, changes: Partial<KeyJob> = {}): KeyJob => ({
      keyId: KEY_ID,
      jobId,
      companyId: COMPANY_ID,
      visible: true,
      changedAt,
      visibleSince: T0 - 1,
      ...changes,
    });

    it("pages through a key's visible jobs in feed order", async () => {
      const { jobs, keyJobs } = opened.direct;
      await jobs.save(['job_a', 'job_b', 'job_c'].map((id) => sampleJob(id as 'job_a')));
      await keyJobs.save([
        seen('job_a', T0 + 30),
        seen('job_b', T0 + 10),
        seen('job_c', T0 + 20, { visible: false }),
        seen(JOB_ID, T0 + 40),
        seen(OTHER_JOB_ID, T0 + 20, { companyId: OTHER_COMPANY_ID }),
        seen('job_a', T0 + 5, { keyId: OTHER_KEY_ID }),
      ]);
      const idsOf = async (query: Partial<ListQuery>) =>
        (await keyJobs.page({ ...ALL, ...query })).rows.map(({ job }) => job.id);
      expect(await idsOf({})).toEqual(['job_b', OTHER_JOB_ID, 'job_a', JOB_ID]);
      expect(await idsOf({ companyId: COMPANY_ID })).toEqual(['job_b', 'job_a', JOB_ID]);
      expect(await idsOf({ companyId: 'co_none' })).toEqual([]);
      expect(await idsOf({ status: 'open' })).toHaveLength(4);
      expect(await idsOf({ updatedSince: T0 + 10 })).toEqual([OTHER_JOB_ID, 'job_a', JOB_ID]);
      expect(await idsOf({ updatedSince: T0 + 10, after: T0 + 30 })).toEqual([JOB_ID]);
      expect(await idsOf({ companyId: COMPANY_ID, after: T0 + 10, limit: 1 })).toEqual(['job_a']);
    });

    it('returns job, company name and stamp, and replaces the saved visibility', async () => {
      const { companies, keyJobs } = opened.direct;
      await companies.save({ ...sampleCompany(), name: 'Renamed' });
      await keyJobs.save([seen(JOB_ID, T0 + 1)]);
      await keyJobs.save([seen(JOB_ID, T0 + 2)]);
      const { id, companyId, createdAt, title, location, compensation, ...others } = sampleJob();
      const { schedule, headcount, applicationFormSchema } = others;
      const details = { title, location, compensation, schedule, headcount, applicationFormSchema };
      const [row] = (await keyJobs.page(ALL)).rows;
      expect(row).toMatchObject({ companyName: 'Renamed', changedAt: T0 + 2 });
      // A storage may also return the columns that partners do not see.
      expect(row?.job).toMatchObject({ id, companyId, createdAt, ...details });
      await keyJobs.save([seen(JOB_ID, T0 + 3, { visible: false })]);
      expect((await keyJobs.page(ALL)).rows).toEqual([]);
      const last = [seen(JOB_ID, T0 + 3, { visible: false })];
      expect(await keyJobs.listOfJobs([JOB_ID, OTHER_JOB_ID, JOB_ID])).toEqual(last);
      expect(await keyJobs.find(KEY_ID, JOB_ID)).toEqual(last[0]);
      expect(await keyJobs.find(KEY_ID, OTHER_JOB_ID)).toBeNull();
      expect(await keyJobs.listOfCompany(KEY_ID, COMPANY_ID)).toEqual(last);
      expect(await keyJobs.listOfCompany(KEY_ID, OTHER_COMPANY_ID)).toEqual([]);
      const theirs = seen(JOB_ID, T0 + 4, { keyId: OTHER_KEY_ID });
      await keyJobs.save([theirs]);
      expect(await keyJobs.listOfCompany(KEY_ID, COMPANY_ID)).toEqual(last);
      const ofBoth = await keyJobs.listOfJobs([JOB_ID]);
      expect(ofBoth.toSorted((a, b) => a.changedAt - b.changedAt)).toEqual([...last, theirs]);
    });

    it('returns the feed head with an empty page', async () => {
      await opened.direct.feed.take([{ keyId: KEY_ID, count: 1 }], T0 + 77);
      expect(await opened.direct.keyJobs.page(ALL)).toEqual({ rows: [], hasMore: false, head: T0 + 77 });
    });
  });

  describe('pages of applications', () => {
    const opened = useStorage(open);

    /** Twelve applications in two companies and two statuses. */
    async function addApplications(): Promise<void> {
      await seed(opened.direct);
      const [range] = await opened.direct.feed.take([{ keyId: KEY_ID, count: 12 }], T0 + 1);
      expect(range?.first).toBe(T0 + 1);
      const applications = Array.from({ length: 12 }, (_, index) =>
        sampleApplication(12 - index, T0 + index + 1, {
          ...(index % 2 === 0 ? {} : { companyId: OTHER_COMPANY_ID, jobId: OTHER_JOB_ID }),
          ...(index % 3 === 0 ? { status: 'accepted', stage: 'hired' } : {}),
        }),
      );
      await opened.direct.submissions.add(applications.map((application) => sampleSubmission(application)));
      const foreign = sampleApplication(99, T0 + 3, { keyId: OTHER_KEY_ID });
      await opened.direct.submissions.add([sampleSubmission(foreign)]);
    }
    const stampsOf = (page: FeedPage<{ readonly changedAt: number }>) =>
      page.rows.map(({ changedAt }) => changedAt - T0);

    it('uses feed order with every combination of filters', async () => {
      await addApplications();
      const { applications } = opened.direct;
      const stamps = async (query: Partial<ListQuery>) =>
        stampsOf(await applications.page({ ...ALL, limit: 50, ...query }));
      expect(await stamps({})).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
      expect(await stamps({ companyId: COMPANY_ID })).toEqual([1, 3, 5, 7, 9, 11]);
      expect(await stamps({ status: 'accepted' })).toEqual([1, 4, 7, 10]);
      expect(await stamps({ companyId: OTHER_COMPANY_ID, status: 'accepted' })).toEqual([4, 10]);
      expect(await stamps({ updatedSince: T0 + 9, status: 'received' })).toEqual([11, 12]);
      expect(await stamps({ status: 'rejected' })).toEqual([]);
    });

    it('returns every row once for any page size, and whether more follow', async () => {
      await addApplications();
      for (const limit of [1, 5, 6, 11, 12, 13]) {
        const walked: number[] = [];
        let after: number | null = null;
        for (let hasMore = true; hasMore; ) {
          const page: FeedPage<{ readonly changedAt: number }> = await opened.direct.applications.page({
            ...ALL,
            limit,
            after,
          });
          expect(page.head).toBe(T0 + 12);
          expect(page.rows.length).toBeLessThanOrEqual(limit);
          walked.push(...stampsOf(page));
          after = page.rows.at(-1)?.changedAt ?? null;
          hasMore = page.hasMore;
        }
        expect(walked).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
      }
    });
  });
}
