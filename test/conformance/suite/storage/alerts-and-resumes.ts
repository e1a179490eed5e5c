import type { ClaimedAlert, KeyId, PartnerOfKey } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import type { NewKeyAlert, SyncAlert } from '../../../../packages/core/src/domain/alert.js';
import {
  KEY_ID,
  LONG_LEASE_MS,
  OTHER_KEY_ID,
  PARTNER_ID,
  SHORT_LEASE_MS,
  sampleAlert,
  sampleApplication,
  samplePartner,
  sampleSubmission,
  seed,
  T0,
} from './samples.js';
import { type OpenStorage, useSeededStorage, useStorage } from './storage-under-test.js';

const LEASE = { token: 'mine', forMs: LONG_LEASE_MS };
const HOUR_MS = 3_600_000;
const BRIEF = { ...LEASE, forMs: SHORT_LEASE_MS };

export function describeAlertsAndResumes<HostTx>(open: OpenStorage<HostTx>): void {
  describe('alerts', () => {
    const opened = useSeededStorage(open);
    const moved: NewKeyAlert = {
      id: 'alr_1',
      kind: 'endpoint_url_changed',
      origin: 'https://new.example',
      oldOrigin: 'https://ats.example',
      isSameHost: false,
      door: 'api',
      restorableUntil: T0 + 9,
      keyId: KEY_ID,
      at: T0 + 2,
    };
    const dead = sampleAlert(2, T0 + 1);

    const failing: NewKeyAlert = {
      id: 'alr_3',
      kind: 'endpoint_failing',
      keyId: KEY_ID,
      origin: 'https://ats.example',
      at: T0,
      reason: 'one_hour',
      failingSince: T0 - 9,
      attempts: 3,
      lastFailure: { kind: 'failed', failure: 'tls_failed' },
    };
    const partner: PartnerOfKey = {
      partnerId: PARTNER_ID,
      partnerName: samplePartner().name,
      environment: 'production',
    };
    const held: SyncAlert = {
      id: 'alr_4',
      kind: 'jobs_sync_held',
      at: T0 + 3,
      operationId: 'op_1',
      missing: 30,
      open: 90,
    };
    const contact = { name: 'Robin Field', email: 'robin@ats.example' };
    const named = (alert: NewKeyAlert): ClaimedAlert => ({ ...alert, ...partner, contact: null });

    it('claims the oldest alerts first, each for one worker, with the partner', async () => {
      const { alerts } = opened.direct;
      expect((await opened.direct.work.findFirstWaiting()).alertAt).toBeNull();
      await alerts.add([moved, dead]);
      expect((await opened.direct.work.findFirstWaiting()).alertAt).toBe(dead.at);
      expect(await alerts.claim(BRIEF, 1)).toEqual([named(dead)]);
      expect(await alerts.claim({ ...BRIEF, token: 'theirs' }, 10)).toEqual([named(moved)]);
      expect(await alerts.claim(BRIEF, 10)).toEqual([]);
      await opened.pass(BRIEF.forMs);
      expect(await alerts.claim(BRIEF, 10)).toEqual([named(dead), named(moved)]);
    });

    it('keeps an alert about no key, which has no partner', async () => {
      const { alerts } = opened.direct;
      await alerts.add([held, moved]);
      expect(await alerts.claim(LEASE, 10)).toEqual([named(moved), held]);
      await alerts.settle([held.id, moved.id], LEASE.token);
      expect((await opened.direct.work.findNext(false)).dueAt).toBeNull();
    });

    it('claims an alert that a secret ends when its time has come, with the contact of then', async () => {
      const { alerts, partners, time } = opened.direct;
      const at = (await time.now()) + SHORT_LEASE_MS;
      const ending: NewKeyAlert = {
        id: 'alr_5',
        kind: 'key_secret_ending',
        keyId: KEY_ID,
        lastFour: 'wxyz',
        at,
        endsAt: at + 1,
      };
      await alerts.add([ending, moved]);
      expect(await alerts.claim(LEASE, 10)).toEqual([named(moved)]);
      await alerts.settle([moved.id], LEASE.token);
      expect((await opened.direct.work.findNext(false)).dueAt).toBe(at);
      await partners.save({ ...samplePartner(), contact });
      await opened.pass(SHORT_LEASE_MS);
      expect(await alerts.claim(LEASE, 10)).toEqual([{ ...named(ending), contact }]);
      await partners.save(samplePartner());
      expect((await partners.find(PARTNER_ID))?.contact).toBeNull();
    });

    it('lists what was sent, the last one first, until it is old, and drops what nobody needs', async () => {
      const { alerts, time } = opened.direct;
      const needless = sampleAlert(6, T0);
      await alerts.add([moved, dead, held, needless]);
      await alerts.claim(LEASE, 10);
      const before = await time.now();
      await alerts.settle([moved.id, held.id], LEASE.token, [moved.id]);
      await opened.pass(SHORT_LEASE_MS);
      const between = await time.now();
      await alerts.settle([dead.id, moved.id, 'alr_none'], LEASE.token);
      await alerts.drop([needless.id], LEASE.token);
      const sent = await alerts.listSent({ after: null, limit: 9 });
      expect(sent).toMatchObject([
        { id: dead.id, alert: dead, isTold: false },
        { id: held.id, alert: held, isTold: false },
        { id: moved.id, alert: moved, isTold: true },
      ]);
      expect(JSON.stringify(sent)).not.toContain(partner.partnerName);
      expect(await alerts.listSent({ after: sent[0] ?? null, limit: 1 })).toEqual([sent[1]]);
      expect(await alerts.claim(LEASE, 10)).toEqual([]);
      expect((await opened.direct.work.findFirstWaiting()).alertAt).toBeNull();
      expect(await opened.direct.work.findExpired({ sentAlerts: between })).toEqual(['sentAlerts']);
      expect(await opened.direct.work.findExpired({ sentAlerts: before })).toEqual([]);
      expect([await alerts.sweep(between, 1), await alerts.sweep(between, 9)]).toEqual([1, 1]);
      expect(await alerts.listSent({ after: null, limit: 9 })).toEqual([sent[0]]);
    });

    it("removes only the settling worker's alerts", async () => {
      const { alerts } = opened.direct;
      await alerts.add([moved, dead]);
      await alerts.claim(BRIEF, 10);
      await alerts.settle([moved.id, dead.id], 'theirs');
      await alerts.settle([moved.id], BRIEF.token);
      await opened.pass(BRIEF.forMs);
      expect(await alerts.claim(BRIEF, 10)).toEqual([named(dead)]);
    });

    it('returns the warning of a failing endpoint as added, even if the key has no endpoint', async () => {
      const { alerts, time } = opened.direct;
      // Within the hour in which messages of a kind are collected.
      const first = { ...failing, at: await time.now() };
      const second = { ...first, id: 'alr_4', lastFailure: null, reason: 'near_pause' } as const;
      await alerts.add([first, second]);
      expect(await alerts.claim(BRIEF, 10)).toEqual([named(first), { ...named(second), isHeld: true }]);
    });

    it('holds the messages of alerts of one kind and key, and collects them until an hour after the first', async () => {
      const { alerts, time } = opened.direct;
      const begun = (await time.now()) - HOUR_MS + SHORT_LEASE_MS;
      const paused = (number: number, keyId: KeyId): NewKeyAlert => ({
        id: `alr_${number}`,
        kind: 'endpoint_paused',
        origin: 'https://ats.example',
        keyId,
        reason: 'gone',
        at: keyId === KEY_ID ? begun + number : begun,
      });
      const first = { ...dead, id: 'alr_9', isFirstOfDay: true, at: begun } as const;
      await alerts.add([0, 1].map((number) => paused(number, KEY_ID)));
      await alerts.add([paused(2, KEY_ID), paused(3, OTHER_KEY_ID), first]);
      expect(await alerts.claim(LEASE, 10)).toMatchObject([
        { ...paused(0, KEY_ID), isHeld: undefined },
        { ...paused(3, OTHER_KEY_ID), isHeld: undefined },
        { ...first, isHeld: undefined },
        { ...paused(1, KEY_ID), isHeld: true },
        { ...paused(2, KEY_ID), isHeld: true },
      ]);
      await alerts.settle(['alr_0', 'alr_1', 'alr_2', 'alr_3', 'alr_9'], LEASE.token);
      expect((await opened.direct.work.findNext(false)).dueAt).toBe(begun + HOUR_MS);
      await opened.pass(SHORT_LEASE_MS);
      const collected = {
        kind: 'messages_collected',
        at: begun + HOUR_MS,
        count: 2,
        since: begun + 1,
      } as const;
      const last = paused(2, KEY_ID);
      expect(await alerts.claim(LEASE, 1)).toMatchObject([{ ...collected, keyId: KEY_ID, last }]);
      // A claimed alert collects nothing more, even if the time of the next alert is within its hour.
      const late = { ...paused(4, KEY_ID), at: begun + HOUR_MS - 1 };
      await alerts.add([late]);
      const claimed = await alerts.claim(LEASE, 10);
      expect(claimed.find(({ id }) => id === late.id)).toMatchObject({ ...late, isHeld: undefined });
      expect(claimed.filter(({ kind }) => kind === 'messages_collected')).toMatchObject([
        { keyId: OTHER_KEY_ID, count: 0 },
        { keyId: KEY_ID, count: 0, last: { kind: 'delivery_dead' } },
      ]);
    });
  });

  describe('résumé tasks', () => {
    const opened = useStorage(open);

    async function addTasks(...dueAt: readonly number[]) {
      await seed(opened.direct);
      const tasks = dueAt.map((at, index) => ({
        applicationId: `ej_app_${index}` as const,
        keyId: KEY_ID,
        url: `https://cv.example/${index}`,
        attempts: 0,
        dueAt: at,
      }));
      await opened.direct.submissions.add(
        tasks.map((task, index) =>
          sampleSubmission(sampleApplication(index, T0 + index, { id: task.applicationId }), {}, task),
        ),
      );
      return tasks;
    }

    it('claims due tasks, longest due first, each for one worker', async () => {
      const [late, early, future] = await addTasks(T0 + 5, T0 + 1, T0 + 6);
      const { resumeFiles } = opened.direct;
      expect((await opened.direct.work.findFirstWaiting()).downloadAt).toBe(T0 + 1);
      expect(await resumeFiles.claim(BRIEF, T0 + 5, 10)).toEqual([early, late]);
      expect(await resumeFiles.claim({ ...BRIEF, token: 'theirs' }, T0 + 5, 10)).toEqual([]);
      await opened.pass(BRIEF.forMs);
      expect(await resumeFiles.claim(BRIEF, T0 + 6, 1)).toEqual([early]);
      expect(await resumeFiles.claim(BRIEF, T0 + 6, 10)).toEqual([late, future]);
    });

    it('claims one of each other key, the longest due first', async () => {
      const [early, late] = await addTasks(T0 + 1, T0 + 3);
      const theirs = [T0 + 9, T0, T0 + 2].map((dueAt, index) => {
        const id = `ej_app_other_${index}` as const;
        const application = sampleApplication(10 + index, T0 + 10 + index, { id, keyId: OTHER_KEY_ID });
        const task = { applicationId: id, keyId: OTHER_KEY_ID, url: 'u', attempts: 0, dueAt };
        return { application, task };
      });
      const [future, first, second] = theirs.map(({ task }) => task);
      const { resumeFiles, submissions } = opened.direct;
      await submissions.add(theirs.map(({ application, task }) => sampleSubmission(application, {}, task)));
      expect(await resumeFiles.claimOfOthers(LEASE, T0 + 5, 9, [KEY_ID, OTHER_KEY_ID])).toEqual([]);
      const others = opened.claimsAcrossKeys ? [] : [KEY_ID];
      expect(await resumeFiles.claimOfOthers(LEASE, T0 + 5, 1, others)).toEqual([first]);
      expect(await resumeFiles.claimOfOthers(LEASE, T0 + 5, 9, ['key_none'])).toEqual([early, second]);
      expect(await resumeFiles.claimOfOthers(LEASE, T0 + 5, 9, [KEY_ID])).toEqual([]);
      expect(await resumeFiles.claimOfOthers(LEASE, T0 + 9, 9, [KEY_ID])).toEqual([future]);
      expect(await resumeFiles.claim(LEASE, T0 + 9, 9)).toEqual([late]);
    });

    it('reaches every key, regardless of the number of keys', async () => {
      const { partners, keys, resumeFiles, submissions } = opened.direct;
      await seed(opened.direct);
      const ids = Array.from({ length: 250 }, (_, index) => `key_many_${1000 + index}` as const);
      for (const id of ids) {
        const partnerId = `ptn_${id}` as const;
        await partners.add({ id: partnerId, name: 'P', createdAt: T0 });
        await keys.add({ id, partnerId, environment: 'production', createdAt: T0 });
      }
      await submissions.add(
        ids.map((keyId, index) => {
          const application = sampleApplication(index, T0, { keyId });
          const task = { applicationId: application.id, keyId, url: 'u', attempts: 0, dueAt: T0 };
          return sampleSubmission(application, {}, task);
        }),
      );
      const met = new Set<string>();
      for (let call = 0; call < 6; call += 1) {
        const tasks = await resumeFiles.claimOfOthers(LEASE, T0, 100, [...met] as KeyId[]);
        for (const { keyId } of tasks) met.add(keyId);
      }
      expect([...met].sort()).toEqual(ids);
    });

    it('adds a task again after the earlier one has ended', async () => {
      const [task] = await addTasks(T0);
      if (task === undefined) throw new Error('A task was added.');
      const { resumeFiles } = opened.direct;
      await resumeFiles.claim(LEASE, T0, 10);
      await resumeFiles.finish(task.applicationId, LEASE.token);
      const again = { ...task, dueAt: T0 + 7 };
      await resumeFiles.add(again);
      expect(await resumeFiles.claim(LEASE, T0 + 6, 10)).toEqual([]);
      expect(await resumeFiles.claim(LEASE, T0 + 7, 10)).toEqual([again]);
    });

    it('finishes and postpones only with the lease', async () => {
      const [first, second] = await addTasks(T0, T0);
      if (first === undefined || second === undefined) throw new Error('Two tasks were added.');
      const { resumeFiles } = opened.direct;
      await resumeFiles.claim(LEASE, T0, 10);
      expect(await resumeFiles.finish(first.applicationId, 'theirs')).toBe(false);
      expect(await resumeFiles.finish(first.applicationId, LEASE.token)).toBe(true);
      expect(await resumeFiles.finish(first.applicationId, LEASE.token)).toBe(false);
      const later = { ...second, url: 'https://cv.example/moved', attempts: 1, dueAt: T0 + 50 };
      expect(await resumeFiles.postpone(later, 'theirs')).toBe(false);
      expect(await resumeFiles.postpone(later, LEASE.token)).toBe(true);
      expect(await resumeFiles.claim(LEASE, T0 + 49, 10)).toEqual([]);
      expect(await resumeFiles.claim(LEASE, T0 + 50, 10)).toEqual([later]);
    });
  });
}
