import type { CompanyId, KeyJob, Total, TotalHead } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import {
  COMPANY_ID,
  JOB_ID,
  KEY_ID,
  OTHER_COMPANY_ID,
  OTHER_JOB_ID,
  OTHER_KEY_ID,
  sampleApplication,
  sampleSubmission,
  T0,
} from './samples.js';
import { type OpenStorage, useSeededStorage } from './storage-under-test.js';

const MONTH = Date.UTC(2026, 0);

function total(
  companyId: CompanyId | null,
  name: string,
  count: number,
  changes: Partial<Total> = {},
): Total {
  return { keyId: KEY_ID, unit: 'month', startsAt: MONTH, companyId, name, count, ...changes };
}

function head(countedAt: number, replaces: number, changes: Partial<TotalHead> = {}): TotalHead {
  return { keyId: KEY_ID, at: T0, countedAt, replaces, hours: { '5 refused': 2 }, ...changes };
}

export function describeTotals<HostTx>(open: OpenStorage<HostTx>): void {
  describe('totals', () => {
    const opened = useSeededStorage(open);

    it('adds to sums, and finds them by place and by company', async () => {
      const { totals } = opened.direct;
      const ofDay = total(null, 'submitted', 3, { unit: 'day' });
      await totals.add([
        total(COMPANY_ID, 'submitted', 2),
        total(OTHER_COMPANY_ID, 'submitted', 1),
        total(null, 'submitted', 3),
        total(null, 'refused', 1, { keyId: 'production' }),
        ofDay,
      ]);
      await totals.add([total(COMPANY_ID, 'submitted', 5), total(COMPANY_ID, 'hired', 1)]);
      const place = { keyId: KEY_ID, unit: 'month', startsAt: MONTH } as const;
      const [ofKey, ofDiner, none, twice] = await totals.findEach([
        { ...place, companyId: null },
        { ...place, companyId: COMPANY_ID },
        { ...place, companyId: null, keyId: OTHER_KEY_ID },
        { ...place, companyId: null },
      ]);
      expect(ofKey).toEqual([total(null, 'submitted', 3)]);
      expect(ofDiner?.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
        total(COMPANY_ID, 'hired', 1),
        total(COMPANY_ID, 'submitted', 7),
      ]);
      expect([none, twice]).toEqual([[], ofKey]);
      expect(await totals.findEach([{ ...place, unit: 'day', companyId: null }])).toEqual([[ofDay]]);
      const page = { keyId: KEY_ID, startsAt: MONTH };
      const [first, ...others] = await totals.listCompanies({ ...page, after: null, limit: 2 });
      expect([first, ...others]).toEqual([
        total(OTHER_COMPANY_ID, 'submitted', 1),
        total(COMPANY_ID, 'hired', 1),
      ]);
      expect(await totals.listCompanies({ ...page, after: OTHER_COMPANY_ID, limit: 9 })).toHaveLength(2);
      expect(await totals.listCompanies({ ...page, startsAt: 0, after: null, limit: 9 })).toEqual([]);
      expect(await totals.sweep(MONTH, 9)).toBe(0);
      expect(await totals.sweep(MONTH + 1, 4)).toBe(4);
      expect(await totals.sweep(MONTH + 1, 9)).toBe(2);
      expect(await totals.findEach([{ ...place, companyId: null }])).toEqual([[]]);
    });

    it('saves a head only in place of the one that was read', async () => {
      const { totals } = opened.direct;
      expect(await totals.saveHead(head(5, 0))).toBe(true);
      expect(await totals.saveHead(head(6, 0))).toBe(false);
      const second = head(7, 5, { at: T0 + 9, hours: {} });
      expect(await totals.saveHead(second)).toBe(true);
      expect(await totals.saveHead(head(8, 5))).toBe(false);
      expect(await totals.saveHead(head(5, 0, { keyId: '' }))).toBe(true);
      expect(await totals.findHead('')).toEqual(head(5, 0, { keyId: '' }));
      expect(await totals.findHead(KEY_ID)).toEqual(second);
      expect(await totals.findHead(OTHER_KEY_ID)).toBeNull();
    });

    it('of two workers that save a head at once, one does', async () => {
      const { totals } = opened.direct;
      const other = await opened.another();
      const saved = await Promise.all([
        totals.saveHead(head(5, 0)),
        other.direct.totals.saveHead(head(6, 0)),
      ]);
      expect(saved.toSorted()).toEqual([false, true]);
    });

    it('lists submissions, decisions and first shown jobs in the order of their stamps', async () => {
      const { keyJobs, submissions, totals } = opened.direct;
      const decided = { stage: 'hired', lastStatusChangeAt: T0 + 60, changedAt: T0 + 90 } as const;
      await submissions.add(
        [
          sampleApplication(1, T0 + 10),
          sampleApplication(2, T0 + 20, { ...decided, submittedAt: T0 + 20, status: 'accepted' }),
          sampleApplication(3, T0 + 30, { ...decided, lastStatusChangeAt: T0 + 50, status: 'rejected' }),
          sampleApplication(4, T0 + 31, { status: 'in_progress', companyId: OTHER_COMPANY_ID }),
          sampleApplication(5, T0 + 40, { keyId: OTHER_KEY_ID }),
        ].map((application) => sampleSubmission(application)),
      );
      const seen = (jobId: KeyJob['jobId'], changedAt: number, visible = true): KeyJob => {
        const visibleSince = visible ? changedAt : null;
        return { keyId: KEY_ID, jobId, companyId: COMPANY_ID, visible, changedAt, visibleSince };
      };
      await keyJobs.save([seen(JOB_ID, T0 + 25), seen(OTHER_JOB_ID, T0 + 70)]);
      await keyJobs.save([seen(JOB_ID, T0 + 80, false)]);
      await keyJobs.save([seen(JOB_ID, T0 + 95)]);
      const fact = (at: number, kind: string, waitedMs = 0, companyId = COMPANY_ID) => {
        return { at: T0 + at, kind, companyId, waitedMs };
      };
      const facts = [
        fact(10, 'submitted'),
        fact(20, 'submitted'),
        fact(25, 'shown'),
        fact(30, 'submitted'),
        fact(31, 'submitted', 0, OTHER_COMPANY_ID),
        fact(50, 'rejected', 20),
        fact(60, 'accepted', 40),
        fact(70, 'shown'),
      ];
      const all = { keyId: KEY_ID, after: 0, through: T0 + 99, limit: 99 };
      expect(await totals.listFacts(all)).toEqual(facts);
      expect(await totals.listFacts({ ...all, limit: 3 })).toEqual(facts.slice(0, 3));
      expect(await totals.listFacts({ ...all, after: T0 + 25, through: T0 + 60 })).toEqual(facts.slice(3, 7));
      expect(await keyJobs.findEach([seen(JOB_ID, 0), { keyId: OTHER_KEY_ID, jobId: JOB_ID }])).toEqual([
        seen(JOB_ID, T0 + 95),
        null,
      ]);
    });
  });
}
