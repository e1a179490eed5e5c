import type { ApplicationId, ApplicationRecord } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import type { ResumeFileTask } from '../../../../packages/core/src/domain/resume.js';
import {
  appendStamped,
  COMPANY_ID,
  KEY_ID,
  LONG_LEASE_MS,
  OTHER_COMPANY_ID,
  OTHER_KEY_ID,
  sampleApplication,
  sampleEvent,
  sampleSubmission,
  seed,
  T0,
} from './samples.js';
import { type OpenStorage, useSeededStorage, useStorage } from './storage-under-test.js';

const LIMIT = { after: null, limit: 9 } as const;
const LEASE = { token: 'mine', forMs: LONG_LEASE_MS } as const;

function person(email: string, phone = '+14155550123'): Partial<ApplicationRecord> {
  return { candidate: { firstName: 'Ana', lastName: 'Neil', email, phone } };
}

const idsOf = (found: readonly { readonly id: ApplicationId }[]) => found.map(({ id }) => id);

export function describeCandidates<HostTx>(open: OpenStorage<HostTx>): void {
  describe('candidates', () => {
    const opened = useStorage(open);

    async function add(...applications: readonly ApplicationRecord[]): Promise<void> {
      await seed(opened.direct);
      await opened.direct.submissions.add(applications.map((each) => sampleSubmission(each)));
    }

    it('lists by e-mail in any letter case and by phone, in the order of ids, without erased ones', async () => {
      const { candidates } = opened.direct;
      const all = [
        sampleApplication(3, T0, person('ANA@example.com')),
        sampleApplication(1, T0 + 1, { ...person('ana@Example.com'), keyId: OTHER_KEY_ID }),
        sampleApplication(2, T0 + 2, person('anna@example.com', '+14155550124')),
        sampleApplication(4, T0 + 3, person('ana@example.com')),
      ];
      await add(...all);
      const [third, first, second, fourth] = all.map(({ id }) => id);
      expect(await candidates.listByEmail('Ana@Example.COM', LIMIT)).toEqual([all[1], all[0], all[3]]);
      const page = { after: first ?? null, limit: 1 };
      expect(idsOf(await candidates.listByEmail('ana@example.com', page))).toEqual([third]);
      expect(idsOf(await candidates.listByPhone('+14155550123', LIMIT))).toEqual([first, third, fourth]);
      expect(idsOf(await candidates.listByPhone('+14155550124', LIMIT))).toEqual([second]);
      await candidates.erase([third ?? 'ej_app_'], T0 + 9);
      expect(idsOf(await candidates.listByEmail('ana@example.com', LIMIT))).toEqual([first, fourth]);
      expect(await candidates.listByEmail('', LIMIT)).toEqual([]);
      expect(await candidates.listByPhone('', LIMIT)).toEqual([]);
    });

    it('walks applications in the order of submission, including erased ones', async () => {
      const { candidates } = opened.direct;
      await add(
        sampleApplication(2, T0),
        sampleApplication(1, T0 + 5, { submittedAt: T0 + 1, keyId: OTHER_KEY_ID }),
        sampleApplication(3, T0 + 1, { companyId: OTHER_COMPANY_ID }),
        sampleApplication(4, T0 + 2),
      );
      await candidates.erase(['ej_app_000002'], T0 + 9);
      const range = { companyId: null, submittedBefore: T0 + 2, after: null, limit: 9 };
      const walked = await candidates.walk(range);
      expect(idsOf(walked)).toEqual(['ej_app_000002', 'ej_app_000001', 'ej_app_000003']);
      expect(walked.slice(0, 2)).toEqual([
        { id: 'ej_app_000002', sourceApplicationId: null, submittedAt: T0, changedAt: T0, erasedAt: T0 + 9 },
        {
          id: 'ej_app_000001',
          sourceApplicationId: null,
          submittedAt: T0 + 1,
          changedAt: T0 + 5,
          erasedAt: null,
        },
      ]);
      const after = { id: 'ej_app_000001', submittedAt: T0 + 1 } as const;
      expect(idsOf(await candidates.walk({ ...range, after }))).toEqual(['ej_app_000003']);
      const own = { ...range, companyId: COMPANY_ID };
      expect(idsOf(await candidates.walk({ ...own, limit: 1 }))).toEqual(['ej_app_000002']);
      expect(idsOf(await candidates.walk({ ...own, submittedBefore: T0 + 9, after }))).toEqual([
        'ej_app_000004',
      ]);
    });

    it('erases the candidate and nothing else', async () => {
      const { candidates, applications } = opened.direct;
      const fetched = { kind: 'fetched', location: 'there', fetchedAt: T0 } as const;
      const mine = sampleApplication(1, T0, { resumeUrl: 'https://cv.example/1', resume: fetched });
      const other = sampleApplication(2, T0 + 1, { sourceApplicationId: 'theirs' });
      await add({ ...mine, sourceApplicationId: 'mine' }, other);
      expect(await candidates.erase([mine.id], T0 + 9)).toEqual([]);
      const erased: ApplicationRecord = {
        ...mine,
        sourceApplicationId: 'mine',
        candidate: { firstName: '', lastName: '', email: '', phone: '' },
        source: null,
        answers: {},
        resumeUrl: null,
        resume: { kind: 'none' },
        erasedAt: T0 + 9,
      };
      expect(await applications.find([mine.id, other.id])).toEqual([erased, other]);
      const counts = {
        applications: 1,
        sourceApplicationIds: 0,
        replies: 0,
        events: 0,
        excerpts: 2,
        resumeDownloads: 0,
        resumeFiles: 1,
        inboxItems: 0,
      };
      await candidates.saveErasedCounts([{ id: mine.id, counts }]);
      expect(await candidates.findErasedCounts([other.id, mine.id])).toEqual([null, counts]);
      await candidates.clearSourceIds([{ id: mine.id, changedAt: T0 + 20 }]);
      const cleared = { ...erased, sourceApplicationId: null, changedAt: T0 + 20 };
      expect(await applications.find([mine.id, other.id])).toEqual([cleared, other]);
    });

    it('finds and replaces stored replies, only of their own application', async () => {
      const { candidates, submissions } = opened.direct;
      const [mine, other] = [sampleApplication(1, T0), sampleApplication(2, T0 + 1)];
      await add(mine, other);
      const [record, none] = await candidates.findRecords([mine, sampleApplication(9, T0)]);
      expect(record).toEqual(sampleSubmission(mine).idempotency);
      expect(none).toBeNull();
      if (!record) throw new Error('The record is missing.');
      const reply = { status: 201, body: '{"cleared":"é"}' };
      await candidates.saveReplies([{ ...record, reply }]);
      await candidates.saveReplies([
        { ...record, applicationId: other.id, reply: { status: 201, body: '' } },
      ]);
      const { idempotencyKey } = record;
      expect(await submissions.findRecords([{ keyId: KEY_ID, idempotencyKey }])).toEqual([
        { ...record, reply },
      ]);
    });

    it('finds and replaces events by their stamps', async () => {
      const { candidates } = opened.direct;
      await seed(opened.direct);
      const events = [sampleEvent(1, T0), sampleEvent(2, T0, OTHER_KEY_ID), sampleEvent(3, T0 + 1)];
      await appendStamped(opened.direct, events);
      const stamps = [...events, { keyId: KEY_ID, at: T0 + 5 }];
      expect(await candidates.findEvents(stamps)).toEqual([...events, null]);
      const changed = sampleEvent(1, T0);
      await candidates.saveBodies([{ ...changed, body: '{"é":1}' }]);
      expect(await candidates.findEvents(events)).toEqual([
        { ...changed, body: '{"é":1}' },
        ...events.slice(1),
      ]);
    });

    it('cancels downloads and says until when a worker has them', async () => {
      const { candidates, resumeFiles, submissions } = opened.direct;
      await seed(opened.direct);
      const pending = { kind: 'pending', attempts: 0 } as const;
      const taskOf = (applicationId: ApplicationId, dueAt: number): ResumeFileTask => ({
        applicationId,
        keyId: KEY_ID,
        url: 'https://cv.example',
        attempts: 0,
        dueAt,
      });
      const [leased, waiting] = [1, 2].map((number) => sampleApplication(number, T0, { resume: pending }));
      if (leased === undefined || waiting === undefined) throw new Error('Two are missing.');
      const tasks = [taskOf(leased.id, T0), taskOf(waiting.id, T0 + 1)];
      await submissions.add(
        [leased, { ...waiting, changedAt: T0 + 1 }].map((each, index) =>
          sampleSubmission(each, {}, tasks[index] ?? null),
        ),
      );
      const ids = [waiting.id, leased.id, 'ej_app_none'] as const;
      expect(await candidates.findResumeFiles(ids)).toEqual([tasks[1], tasks[0], null]);
      expect(await resumeFiles.claim(LEASE, T0, 9)).toHaveLength(1);
      const cancelled = await candidates.cancelResumeFiles(ids);
      expect(new Set(idsOf(cancelled.map(({ applicationId: id }) => ({ id }))))).toEqual(
        new Set([waiting.id, leased.id]),
      );
      const leases = new Map(cancelled.map((each) => [each.applicationId, each.leaseUntil]));
      expect(leases.get(waiting.id)).toBe(0);
      expect(leases.get(leased.id)).toBeGreaterThan(LONG_LEASE_MS);
      expect(await resumeFiles.finish(leased.id, LEASE.token)).toBe(false);
    });

    it('lists erased applications from an instant on, oldest erasure first', async () => {
      const { candidates, applications } = opened.direct;
      const all = [1, 2, 3, 4].map((number) => sampleApplication(number, T0 + number));
      await add(...all.slice(0, 3), { ...sampleApplication(4, T0), keyId: OTHER_KEY_ID });
      const [first, second, third, fourth] = all.map(({ id }) => id);
      await candidates.erase([third ?? 'ej_app_'], T0 + 10);
      await candidates.erase([fourth ?? 'ej_app_', first ?? 'ej_app_'], T0 + 20);
      const list = (from: number, limit = 9) => applications.listErased({ from, limit });
      expect(idsOf(await list(0))).toEqual([third, first, fourth]);
      expect(idsOf(await list(T0 + 11, 1))).toEqual([first]);
      const after = { erasedAt: T0 + 20, id: first ?? 'ej_app_' } as const;
      expect(idsOf(await applications.listErased({ from: 0, after, limit: 9 }))).toEqual([fourth]);
      expect(idsOf(await list(T0 + 21))).toEqual([]);
      expect(second).toBeDefined();
    });

    it('finds applications to erase or to hand over, in the order of the ids, under a lock', async () => {
      const [first, second] = [sampleApplication(1, T0), sampleApplication(2, T0 + 1)];
      await add(first, second);
      const ids = [second.id, 'ej_app_none', first.id, second.id] as const;
      for (const find of ['findToErase', 'findKept'] as const) {
        const found = await opened.storage.transaction((tx) => tx.applications[find](ids));
        expect(found).toEqual([second, null, first, second]);
        const within = await opened.inHostTransaction('commit', (hostTx) =>
          opened.storage.within(hostTx).applications[find](ids),
        );
        expect(within).toEqual([second, null, first, second]);
      }
    });

    it('finds refused inbox entries, and deletes them with the candidate', async () => {
      const { candidates, inbox } = opened.direct;
      const [mine, other] = [sampleApplication(1, T0), sampleApplication(2, T0 + 1)];
      await inbox.turn(true);
      await add(mine, other);
      await inbox.addHeads([KEY_ID]);
      const claimed = await opened.storage.transaction((tx) =>
        tx.inbox.claim({ keyIds: [KEY_ID], now: T0 + 9, limit: 9 }),
      );
      const postponed = claimed.map((entry) => ({
        ...entry,
        retryAt: T0 + 99,
        parkedAt: null,
        lastError: 'Error: é',
      }));
      await inbox.postpone(postponed);
      const listed = await candidates.listPostponed([mine.id]);
      expect(listed).toMatchObject([{ applicationId: mine.id, lastError: 'Error: é' }]);
      expect(await candidates.erase([mine.id], T0 + 9)).toEqual([mine.id]);
      expect(await candidates.listPostponed([mine.id])).toEqual([]);
      expect(await candidates.listPostponed([other.id])).toHaveLength(1);
      await inbox.turn(false);
    });
  });

  describe('résumés to remove', () => {
    const opened = useSeededStorage(open);

    it('are leased in the order in which they are due, postponed and finished', async () => {
      const { resumeRemovals, submissions } = opened.direct;
      const applications = [1, 2, 3].map((number) => sampleApplication(number, T0 + number));
      await submissions.add(applications.map((each) => sampleSubmission(each)));
      const [first, second, third] = applications.map(({ id }, index) => ({
        applicationId: id,
        location: index === 0 ? null : `é/${index}`,
        attempts: index,
        dueAt: T0 + 3 - index,
      }));
      if (first === undefined || second === undefined || third === undefined) throw new Error('Missing.');
      await resumeRemovals.add([first, second, third]);
      await resumeRemovals.add([{ ...second, location: 'moved' }]);
      const moved = { ...second, location: 'moved' };
      const ids = [first.applicationId, 'ej_app_none', second.applicationId] as const;
      expect(await resumeRemovals.find(ids)).toEqual([first, null, moved]);
      expect(await resumeRemovals.claim(LEASE, T0, 9)).toEqual([]);
      expect(await resumeRemovals.claim(LEASE, T0 + 2, 9)).toEqual([third, moved]);
      expect(await resumeRemovals.claim({ ...LEASE, token: 'other' }, T0 + 9, 9)).toEqual([first]);
      await resumeRemovals.finish([third.applicationId, first.applicationId], LEASE.token);
      const later = { ...moved, attempts: 7, dueAt: T0 + 50 };
      await resumeRemovals.postpone([later], LEASE.token);
      await resumeRemovals.postpone([{ ...first, attempts: 8 }], LEASE.token);
      const all = [first, second, third].map(({ applicationId }) => applicationId);
      expect(await resumeRemovals.find(all)).toEqual([first, later, null]);
      expect(await resumeRemovals.claim(LEASE, T0 + 50, 9)).toEqual([later]);
    });

    it('are counted, with the time of the first erasure', async () => {
      const { candidates, resumeRemovals, submissions } = opened.direct;
      expect(await resumeRemovals.counts()).toEqual({ waiting: 0, oldestErasedAt: null });
      const [first, second] = [1, 2].map((number) => sampleApplication(number, T0 + number));
      if (first === undefined || second === undefined) throw new Error('Missing.');
      await submissions.add([sampleSubmission(first), sampleSubmission(second)]);
      await candidates.erase([first.id], T0 + 9);
      await candidates.erase([second.id], T0 + 7);
      const removals = [first, second].map(({ id }, index) => ({
        applicationId: id,
        location: null,
        attempts: 0,
        dueAt: T0 + 10 + index,
      }));
      await resumeRemovals.add(removals);
      expect(await resumeRemovals.counts()).toEqual({ waiting: 2, oldestErasedAt: T0 + 7 });
      await resumeRemovals.claim(LEASE, T0 + 20, 9);
      await resumeRemovals.finish([second.id], LEASE.token);
      expect(await resumeRemovals.counts()).toEqual({ waiting: 1, oldestErasedAt: T0 + 9 });
    });
  });
}
