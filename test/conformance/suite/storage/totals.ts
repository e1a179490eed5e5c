import type { KeyJob, Total, TotalDays, TotalHead } from '@partner-hiring/core/ports';
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

const DAY = Date.UTC(2026, 0, 1);
const NEXT_DAY = Date.UTC(2026, 0, 2);

function total(
  companyId: Total['companyId'],
  name: string,
  count: number,
  changes: Partial<Total> = {},
): Total {
  return { keyId: KEY_ID, companyId, day: DAY, name, count, ...changes };
}

function days(changes: Partial<TotalDays> = {}): TotalDays {
  return { keyId: KEY_ID, companyId: 'all', from: DAY, until: NEXT_DAY, ...changes };
}

function head(version: number, changes: Partial<TotalHead> = {}): TotalHead {
  return { keyId: KEY_ID, at: T0 + version, hour: T0, version, ...changes };
}

export function describeTotals<HostTx>(open: OpenStorage<HostTx>): void {
  describe('totals', () => {
    const opened = useSeededStorage(open);

    it('adds to sums, and sums ranges of days by owner', async () => {
      const { totals } = opened.direct;
      await totals.add([
        total(COMPANY_ID, 'submitted', 2),
        total(OTHER_COMPANY_ID, 'submitted', 1),
        total('all', 'submitted', 3),
        total('all', 'refused', 1, { keyId: 'production' }),
        total('all', 'submitted', 20, { day: NEXT_DAY }),
      ]);
      await totals.add([total(COMPANY_ID, 'submitted', 5), total(COMPANY_ID, 'hired', 1)]);
      const asked = [
        days(),
        days({ companyId: COMPANY_ID }),
        days({ keyId: OTHER_KEY_ID }),
        days({ until: NEXT_DAY + 1 }),
        days({ from: NEXT_DAY, until: NEXT_DAY + 1 }),
        days({ keyId: 'production' }),
        days(),
      ];
      const sums = await totals.sumEach(asked);
      expect(sums.map((each) => Object.fromEntries(each))).toEqual([
        { submitted: 3 },
        { hired: 1, submitted: 7 },
        {},
        { submitted: 23 },
        { submitted: 20 },
        { refused: 1 },
        { submitted: 3 },
      ]);
    });

    it('deletes the sums of days before an instant', async () => {
      const { totals } = opened.direct;
      await totals.add([
        total(COMPANY_ID, 'submitted', 2),
        total('all', 'submitted', 2),
        total('all', 'submitted', 7, { day: NEXT_DAY }),
      ]);
      expect(await totals.sweep(DAY, 9)).toBe(0);
      expect(await totals.sweep(NEXT_DAY, 1)).toBe(1);
      expect(await totals.sweep(NEXT_DAY, 9)).toBe(1);
      const [sums] = await totals.sumEach([days({ until: NEXT_DAY + 1 })]);
      expect(sums).toEqual(new Map([['submitted', 7]]));
    });

    it('saves a head only after the version before', async () => {
      const { totals } = opened.direct;
      expect(await totals.saveHead(head(1))).toBe(true);
      expect(await totals.saveHead(head(1, { at: 9 }))).toBe(false);
      expect(await totals.saveHead(head(2))).toBe(true);
      expect(await totals.saveHead(head(2, { at: 9 }))).toBe(false);
      expect(await totals.saveHead(head(4, { at: 9 }))).toBe(false);
      expect(await totals.saveHead(head(1, { keyId: '' }))).toBe(true);
      expect(await totals.findHead('')).toEqual(head(1, { keyId: '' }));
      expect(await totals.findHead(KEY_ID)).toEqual(head(2));
      expect(await totals.findHead(OTHER_KEY_ID)).toBeNull();
    });

    it.each([1, 2])('of two workers that save version %i of a head at once, one does', async (version) => {
      const { totals } = opened.direct;
      const other = await opened.another();
      if (version === 2) await totals.saveHead(head(1));
      const saved = await Promise.all([
        totals.saveHead(head(version)),
        other.direct.totals.saveHead(head(version)),
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
      const seen = (jobId: KeyJob['jobId'], changedAt: number, visible = true): KeyJob => ({
        keyId: KEY_ID,
        jobId,
        companyId: COMPANY_ID,
        visible,
        changedAt,
        visibleSince: changedAt,
      });
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
