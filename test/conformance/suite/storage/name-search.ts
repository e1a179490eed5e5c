import type { ApplicationId, NamedMatch, Repositories } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import type { CandidateName } from '../../../../packages/core/src/ports/repositories/applications.js';
import {
  COMPANY_ID,
  KEY_ID,
  OTHER_KEY_ID,
  sampleApplication,
  sampleCompany,
  sampleJob,
  samplePartner,
  sampleSecret,
  sampleSubmission,
  seed,
  T0,
} from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

type Matches = readonly NamedMatch<string>[];

const idsOf = (rows: Matches) => rows.map(({ id }) => id).sort();

/** Submits an application of a candidate. */
async function submit(
  { submissions }: Repositories,
  number: number,
  [firstName, lastName]: readonly [string, string],
  keyId = KEY_ID,
  phone = '+14155550123',
): Promise<ApplicationId> {
  const candidate = { firstName, lastName, email: 'ana@example.com', phone };
  const application = sampleApplication(number, T0 + number, {
    candidate,
    keyId,
    sourceApplicationId: `source-${number}`,
  });
  await submissions.add([sampleSubmission(application)]);
  return application.id;
}

export function describeNameSearch<HostTx>(open: OpenStorage<HostTx>): void {
  describe('searches for names', () => {
    const opened = useStorage(open);

    it('find partners, companies and jobs by a word, whole or longer', async () => {
      const { partners, companies, jobs, names } = opened.direct;
      await partners.add({ ...samplePartner('ptn_1'), name: 'Acme ATS' });
      await partners.add({ ...samplePartner('ptn_2'), name: 'Acmé-Talent, Inc.' });
      await companies.addMissing([{ ...sampleCompany('co_1'), name: 'Acme Diner' }]);
      await companies.addMissing([{ ...sampleCompany('co_2'), name: 'The ACME' }, sampleCompany('co_1')]);
      await jobs.add([sampleJob('job_1', { companyId: 'co_1', title: 'Night picker' })]);
      await jobs.save([sampleJob('job_2', { companyId: 'co_1', title: 'Pickers (nights)' })]);
      const [whole, longer] = (['whole', 'longer'] as const).map((match) => ({ match, limit: 9 }));
      if (whole === undefined || longer === undefined) throw new Error('There are two matches.');
      expect(idsOf(await names.partnersBy({ word: 'acme', ...whole }))).toEqual(['ptn_1', 'ptn_2']);
      expect(await names.partnersBy({ word: 'ac', ...whole })).toEqual([]);
      expect(await names.partnersBy({ word: 'talen', ...longer })).toEqual([{ id: 'ptn_2', word: 'talent' }]);
      expect(idsOf(await names.companiesBy({ word: 'acme', ...whole }))).toEqual(['co_1', 'co_2']);
      expect(await names.jobsBy({ word: 'picker', ...whole })).toEqual([{ id: 'job_1', word: 'picker' }]);
      expect(await names.jobsBy({ word: 'picker', ...longer })).toEqual([{ id: 'job_2', word: 'pickers' }]);
      expect(idsOf(await names.jobsBy({ word: 'nigh', ...longer }))).toEqual(['job_1', 'job_2']);
      expect(await names.jobsBy({ word: 'acme', ...whole })).toEqual([]);
    });

    it('return the greatest ids of a whole word, and at most the limit', async () => {
      const { companies, names } = opened.direct;
      await companies.addMissing([1, 3, 2].map((number) => sampleCompany(`co_${number}`)));
      const found = await names.companiesBy({ word: 'company', match: 'whole', limit: 2 });
      expect(found.map(({ id }) => id)).toEqual(['co_3', 'co_2']);
      expect(await names.companiesBy({ word: 'comp', match: 'longer', limit: 2 })).toHaveLength(2);
    });

    it('follow a new name, and not one that was refused', async () => {
      await seed(opened.direct);
      const { companies, jobs, names } = opened.direct;
      const by = async (word: string) => [
        ...idsOf(await names.companiesBy({ word, match: 'whole', limit: 9 })),
        ...idsOf(await names.jobsBy({ word, match: 'whole', limit: 9 })),
      ];
      await companies.save({ ...sampleCompany(), name: 'Depot North' });
      await jobs.save([
        sampleJob('job_cook', { title: 'Depot hand' }),
        sampleJob('job_new', { title: 'Usher' }),
      ]);
      expect(await by('depot')).toEqual([COMPANY_ID, 'job_cook']);
      expect([await by('usher'), await by('cook')]).toEqual([['job_new'], ['job_baker']]);
      await companies.addMissing([{ ...sampleCompany(), name: 'Bistro' }]);
      expect(await jobs.add([sampleJob('job_cook', { title: 'Bistro' }), sampleJob('job_free')])).toEqual([
        'job_cook',
      ]);
      expect([await by('bistro'), await by('cook')]).toEqual([[], ['job_baker']]);
    });

    it('find candidates by last name, whole or longer, in every status', async () => {
      await seed(opened.direct);
      const { applications } = opened.direct;
      const [one, other] = [
        await submit(opened.direct, 1, ['Ada', 'Réyes']),
        await submit(opened.direct, 2, ['Bo', 'REYES'], OTHER_KEY_ID),
      ];
      const longer = await submit(opened.direct, 3, ['Cy', 'Reyes Cruz']);
      await submit(opened.direct, 4, ['Reyes', 'Kent']);
      const [record] = await applications.find([one]);
      if (!record) throw new Error('The application was not stored.');
      await applications.saveProgress([{ ...record, status: 'accepted' }]);
      const byId = (rows: readonly CandidateName[]) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const named = { lastNameKey: 'reyes', limit: 9 };
      expect(byId(await applications.listNames({ ...named, match: 'whole' }))).toEqual([
        { id: one, keyId: KEY_ID, firstName: 'Ada', lastName: 'Réyes' },
        { id: other, keyId: OTHER_KEY_ID, firstName: 'Bo', lastName: 'REYES' },
      ]);
      expect(await applications.listNames({ ...named, match: 'longer' })).toMatchObject([{ id: longer }]);
      const newest = await applications.listNames({ lastNameKey: 'kent', match: 'whole', limit: 1 });
      expect(newest).toMatchObject([{ firstName: 'Reyes' }]);
    });

    it('find candidates by the last digits of their phone number, in every status, without erased ones', async () => {
      await seed(opened.direct);
      const { applications, candidates } = opened.direct;
      const apply = (number: number, phone: string) =>
        submit(opened.direct, number, ['Ada', 'Reyes'], KEY_ID, phone);
      const one = await apply(1, '+14155550123');
      const other = await apply(2, '+4930550123');
      const erased = await apply(3, '+442070123');
      const [record] = await applications.find([one]);
      if (!record) throw new Error('The application was not stored.');
      await applications.saveProgress([{ ...record, status: 'accepted' }]);
      await candidates.erase([erased], T0 + 9);
      const found = async (digits: string, limit = 9) =>
        (await applications.listPhoneEnds({ digits, limit })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const row = (id: ApplicationId) => ({ id, keyId: KEY_ID });
      expect(await found('0123')).toEqual([row(one), row(other)]);
      expect(await found('0123', 1)).toHaveLength(1);
      expect(await found('14155550123')).toEqual([row(one)]);
      expect([await found('0124'), await found('014155550123')]).toEqual([[], []]);
    });

    it('find keys by the last four characters of their secrets, also of revoked ones', async () => {
      await seed(opened.direct);
      const { keys } = opened.direct;
      await keys.addSecret(sampleSecret('hash-1', { lastFour: 'x7Qa', revokedAt: T0 }));
      await keys.addSecret(sampleSecret('hash-2', { lastFour: 'x7qa', keyId: OTHER_KEY_ID }));
      expect((await keys.listByLastFour('x7Qa', 9)).map(({ id }) => id)).toEqual([KEY_ID]);
      expect(await keys.listByLastFour('x7', 9)).toEqual([]);
    });

    it('read several partners at once', async () => {
      await seed(opened.direct);
      const found = await opened.direct.partners.findMany(['ptn_other', 'ptn_none', 'ptn_acme']);
      expect(found.map((partner) => partner?.name ?? null)).toEqual([
        'Partner ptn_other',
        null,
        'Partner ptn_acme',
      ]);
    });
  });
}
