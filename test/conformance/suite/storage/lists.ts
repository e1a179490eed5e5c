import { APPLICATION_STATUSES, type Partner } from '@partner-hiring/core';
import type {
  ApplicationRecord,
  ApplicationScope,
  ApplicationStatus,
  Company,
  PartnerKey,
  Repositories,
} from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import type { LastNameRange } from '../../../../packages/core/src/domain/last-name-key.js';
import {
  COMPANY_ID,
  JOB_ID,
  KEY_ID,
  OTHER_COMPANY_ID,
  OTHER_JOB_ID,
  OTHER_KEY_ID,
  sampleApplication,
  sampleCompany,
  sampleEndpoint,
  sampleJob,
  sampleKey,
  samplePartner,
  sampleSecret,
  sampleSubmission,
  seed,
  T0,
} from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

const NAMES = ['Álvarez', 'alvar', 'Baker', 'BAKER', 'O’Neil', '𝒵eta'];

/** Applications of two keys, companies and jobs, in all statuses; some were submitted at the same time. */
const APPLICATIONS: readonly ApplicationRecord[] = Array.from({ length: 24 }, (_, index) => {
  const isOther = index % 3 === 0;
  const submittedAt = T0 + Math.floor(index / 2) * 2 + (isOther ? 0 : index % 2);
  return sampleApplication(index, submittedAt, {
    keyId: isOther ? OTHER_KEY_ID : KEY_ID,
    jobId: index % 2 === 0 ? JOB_ID : OTHER_JOB_ID,
    companyId: index % 2 === 0 ? COMPANY_ID : OTHER_COMPANY_ID,
    sourceApplicationId: isOther ? `source-${index + 1}` : `source-${index}`,
    status: APPLICATION_STATUSES[Math.floor(index / 5) % 4] ?? 'received',
    changedAt: T0 + 100 - index,
    candidate: {
      firstName: 'Ana',
      lastName: NAMES[index % NAMES.length] ?? '',
      email: 'ana@example.com',
      phone: '+14155550123',
    },
  });
});

/** Reads a list in pages of a size, each after the last row of the page before. */
async function walk<Row>(
  size: number,
  read: (after: Row | null, limit: number) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = await read(rows.at(-1) ?? null, size);
    expect(page.length).toBeLessThanOrEqual(size);
    rows.push(...page);
    if (page.length < size) return rows;
  }
}

const newestFirst = (a: ApplicationRecord, b: ApplicationRecord) =>
  b.submittedAt - a.submittedAt || (a.id < b.id ? 1 : -1);

async function addApplications(direct: Repositories): Promise<void> {
  await seed(direct);
  expect(await direct.submissions.add(APPLICATIONS.map((each) => sampleSubmission(each)))).toBe('added');
}

const SCOPES: readonly ApplicationScope[] = [
  { keyId: KEY_ID },
  { companyId: OTHER_COMPANY_ID },
  { jobId: JOB_ID },
];

function isIn(application: ApplicationRecord, scope: ApplicationScope | null): boolean {
  return Object.entries(scope ?? {}).every(([name, id]) => application[name as 'keyId'] === id);
}

export function describeLists<HostTx>(open: OpenStorage<HostTx>): void {
  describe('lists of applications', () => {
    const opened = useStorage(open);

    it('start with the newest, for each scope and status, from a time on', async () => {
      await addApplications(opened.direct);
      const { applications } = opened.direct;
      const filters: [ApplicationScope | null, ApplicationStatus | null, number][] = [[null, null, 0]];
      for (const scope of SCOPES)
        for (const status of [null, ...APPLICATION_STATUSES])
          for (const from of [0, T0 + 7, T0 + 99]) filters.push([scope, status, from]);
      for (const [scope, status, from] of filters) {
        const expected = APPLICATIONS.filter(
          (each) =>
            isIn(each, scope) && (status === null || each.status === status) && each.submittedAt >= from,
        ).toSorted(newestFirst);
        for (const size of [1, 3, 100]) {
          const read = (after: ApplicationRecord | null, limit: number) =>
            applications.listNewest({ scope, status, from, after, limit });
          expect(await walk(size, read)).toEqual(expected);
        }
      }
    });

    it('follow the changes of a key', async () => {
      await addApplications(opened.direct);
      const expected = APPLICATIONS.filter(({ keyId }) => keyId === KEY_ID).toSorted(
        (a, b) => a.changedAt - b.changedAt,
      );
      const after = T0 + 80;
      const read = (last: ApplicationRecord | null, limit: number) =>
        opened.direct.applications.listChanges({ keyId: KEY_ID, after: last?.changedAt ?? after, limit });
      expect(await walk(2, read)).toEqual(expected.filter(({ changedAt }) => changedAt > after));
    });

    it('find the same id of several partners', async () => {
      await addApplications(opened.direct);
      const { applications } = opened.direct;
      const read = (last: ApplicationRecord | null, limit: number) =>
        applications.listBySourceId({ sourceApplicationId: 'source-4', after: last?.keyId ?? null, limit });
      const found = await walk(1, read);
      expect(found.map(({ id }) => id)).toEqual(['ej_app_000004', 'ej_app_000003']);
      expect(await applications.listBySourceId({ sourceApplicationId: 'source-', limit: 9 })).toEqual([]);
    });

    it.each<[string, LastNameRange, readonly string[]]>([
      ['a prefix', { from: 'al', before: 'al\u{10FFFF}' }, ['alvar', 'Álvarez']],
      ['a whole name', { from: 'baker', before: 'baker\u{10FFFF}' }, ['Baker', 'BAKER']],
      ['a mark', { from: "o'", before: "o'\u{10FFFF}" }, ['O’Neil']],
      ['a letter beyond the basic plane', { from: 'z', before: 'z\u{10FFFF}' }, ['𝒵eta']],
      ['nothing', { from: 'x', before: 'x\u{10FFFF}' }, []],
    ])('find last names by %s', async (_, range, names) => {
      await addApplications(opened.direct);
      const read = async (last: ApplicationRecord | null, limit: number) => {
        const found = await opened.direct.applications.listByLastName({
          range,
          after: last?.id ?? null,
          limit,
        });
        return found ?? [];
      };
      const found = await walk(3, read);
      expect(new Set(found.map(({ candidate }) => candidate.lastName))).toEqual(new Set(names));
      expect(found).toHaveLength(names.length * 4);
      expect(found).toEqual(await read(null, 100));
    });

    it('tell that the last application of a page no longer has its last name', async () => {
      await addApplications(opened.direct);
      const { applications } = opened.direct;
      const range = { from: 'al', before: 'al\u{10FFFF}' };
      expect(await applications.listByLastName({ range, after: 'ej_app_none', limit: 9 })).toBeNull();
      expect(await applications.listByLastName({ range, after: 'ej_app_000002', limit: 9 })).toBeNull();
    });

    it('have no last names left to fill in', async () => {
      await addApplications(opened.direct);
      expect(await opened.direct.applications.fillLastNameKeys(9)).toBe(0);
    });
  });

  describe('pages', () => {
    const opened = useStorage(open);
    const numbers = [1, 2, 3, 4, 5];

    it('of partners, companies and jobs start with the oldest', async () => {
      const { partners, companies, jobs } = opened.direct;
      const createdAt = (number: number) => T0 + Math.floor(number / 2);
      const allPartners = numbers.map((number) => samplePartner(`ptn_${number}`, createdAt(number)));
      const allCompanies = numbers.map((number) => sampleCompany(`co_${number}`, createdAt(number)));
      const allJobs = numbers.map((number) =>
        sampleJob(`job_${number}`, {
          companyId: 'co_1',
          createdAt: createdAt(number),
          state: number === 3 ? 'archived' : number % 2 === 0 ? 'closed' : 'open',
        }),
      );
      for (const partner of allPartners.toReversed()) await partners.add(partner);
      await companies.addMissing(allCompanies.toReversed());
      await jobs.save(allJobs.toReversed());
      for (const size of [1, 2, 9]) {
        expect(await walk<Partner>(size, (after, limit) => partners.list({ after, limit }))).toEqual(
          allPartners,
        );
        expect(await walk<Company>(size, (after, limit) => companies.list({ after, limit }))).toEqual(
          allCompanies,
        );
        for (const state of [null, 'open', 'closed', 'archived'] as const) {
          const read = (after: (typeof allJobs)[number] | null, limit: number) =>
            jobs.listOfCompany('co_1', state, { after, limit });
          const expected = allJobs.filter((job) => state === null || job.state === state);
          expect(await walk(size, read)).toEqual(expected);
        }
      }
    });

    it('of keys are by partner and environment, with the secrets of each', async () => {
      const { partners, keys } = opened.direct;
      for (const number of [2, 1]) {
        await partners.add(samplePartner(`ptn_${number}`));
        await keys.add({ ...sampleKey(`key_s${number}`, `ptn_${number}`), environment: 'sandbox' });
        await keys.add(sampleKey(`key_p${number}`, `ptn_${number}`));
      }
      const all = await keys.list(null);
      expect(all.map(({ id }) => id)).toEqual(['key_p1', 'key_s1', 'key_p2', 'key_s2']);
      for (const size of [1, 3, 9]) {
        expect(await walk<PartnerKey>(size, (after, limit) => keys.list(null, { after, limit }))).toEqual(
          all,
        );
        const ofPartner = await walk<PartnerKey>(size, (after, limit) =>
          keys.list('ptn_2', { after, limit }),
        );
        expect(ofPartner).toEqual(all.slice(2));
      }
      for (const [number, keyId] of (['key_p1', 'key_p1', 'key_s2'] as const).entries())
        await keys.addSecret(sampleSecret(`hash-${number}`, { keyId, createdAt: T0 + number }));
      const ids = all.map(({ id }) => id);
      const each = await keys.listSecretsEach(ids);
      expect(each).toEqual(await Promise.all(ids.map((id) => keys.listSecrets(id))));
      expect(each.map((secrets) => secrets.length)).toEqual([2, 0, 0, 1]);
    });

    it('of access and endpoints are by company and by key', async () => {
      await seed(opened.direct);
      const { access, endpoints } = opened.direct;
      for (const keyId of [KEY_ID, OTHER_KEY_ID]) await endpoints.save({ ...sampleEndpoint(), keyId });
      const records = await walk<Awaited<ReturnType<typeof access.listOfKey>>[number]>(1, (last, limit) =>
        access.listOfKey(KEY_ID, { after: last?.companyId ?? null, limit, onlyActive: false }),
      );
      expect(records).toEqual(await access.listOfKey(KEY_ID));
      expect(records).toHaveLength(2);
      const [first, second] = records;
      if (first === undefined) throw new Error('The key has no access.');
      await access.save({ ...first, revokedAt: T0 + 1 });
      const page = { after: null, limit: 1 };
      expect(await access.listOfKey(KEY_ID, { ...page, onlyActive: true })).toEqual([second]);
      expect(await access.listOfKey(KEY_ID, { ...page, onlyActive: false })).toMatchObject([
        { companyId: first.companyId, revokedAt: T0 + 1 },
      ]);
      const found = await walk<Awaited<ReturnType<typeof endpoints.list>>[number]>(1, (last, limit) =>
        endpoints.list({ after: last?.keyId ?? null, limit }),
      );
      expect(found.map(({ keyId }) => keyId)).toEqual([KEY_ID, OTHER_KEY_ID]);
    });
  });

  describe('names', () => {
    const opened = useStorage(open);

    it('are found in the order of the ids', async () => {
      await seed(opened.direct);
      const { names } = opened.direct;
      expect(await names.ofKeys([OTHER_KEY_ID, 'key_none', KEY_ID, KEY_ID])).toEqual([
        { partnerId: 'ptn_other', partnerName: 'Partner ptn_other', environment: 'production' },
        null,
        ...Array(2).fill({
          partnerId: 'ptn_acme',
          partnerName: 'Partner ptn_acme',
          environment: 'production',
        }),
      ]);
      expect(await names.ofCompanies([OTHER_COMPANY_ID, 'co_none', COMPANY_ID])).toEqual([
        `Company ${OTHER_COMPANY_ID}`,
        null,
        `Company ${COMPANY_ID}`,
      ]);
      expect(await names.ofJobs(['job_none', JOB_ID])).toEqual([null, sampleJob().title]);
    });
  });
}
