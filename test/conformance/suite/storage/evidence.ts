import type { EventSuccess, EvidenceBatch, Instant, KeyId } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import {
  appendStamped,
  KEY_ID,
  OTHER_KEY_ID,
  sampleDelivery,
  sampleEndpoint,
  sampleEvent,
  seed,
  T0,
} from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

/** The success of the event at `T0 + after`. */
function sampleSuccess(after: number, changes: Partial<EventSuccess> = {}): EventSuccess {
  const eventAt = T0 + after;
  return {
    eventAt,
    deliveredAt: eventAt + 40,
    status: 200,
    latencyMs: 12,
    attempts: 1,
    cycle: 1,
    ...changes,
  };
}

function firstAttempts(successes: readonly EventSuccess[], keyId: KeyId = KEY_ID): EvidenceBatch {
  return { keyId, kind: 'first_attempts', successes };
}

export function describeEvidence<HostTx>(open: OpenStorage<HostTx>): void {
  describe('delivery evidence', () => {
    const opened = useStorage(open);

    const find = async (afters: readonly number[], keyId: KeyId = KEY_ID) =>
      opened.direct.evidence.find(afters.map((after) => ({ keyId, at: T0 + after })));

    it('finds the success of each event, with all its values', async () => {
      const { evidence } = opened.direct;
      const slow = sampleSuccess(2, { status: 204, latencyMs: 29_999, deliveredAt: T0 + 86_400_000 });
      // A burst dates events ahead of the clock, so an attempt may end before its event.
      const early = sampleSuccess(3, { deliveredAt: T0 });
      const theirs = sampleSuccess(2, { status: 202 });
      await evidence.append([
        firstAttempts([early, sampleSuccess(1), slow]),
        firstAttempts([theirs], OTHER_KEY_ID),
        firstAttempts([]),
      ]);
      expect(await find([1, 2, 3])).toEqual([[sampleSuccess(1)], [slow], [early]]);
      expect(await find([2], OTHER_KEY_ID)).toEqual([[theirs]]);
      expect(await find([2, 2])).toEqual([[slow], [slow]]);
    });

    it('finds nothing for events between, before and after the recorded ones', async () => {
      await opened.direct.evidence.append([firstAttempts([sampleSuccess(10), sampleSuccess(30)])]);
      await opened.direct.evidence.append([firstAttempts([sampleSuccess(31)])]);
      expect(await find([9, 10, 20, 30, 31, 32])).toEqual([
        [],
        [sampleSuccess(10)],
        [],
        [sampleSuccess(30)],
        [sampleSuccess(31)],
        [],
      ]);
      expect(await find([10], OTHER_KEY_ID)).toEqual([[]]);
    });

    it('finds events in any order among many rows', async () => {
      const { evidence } = opened.direct;
      for (let row = 0; row < 30; row += 1) {
        await evidence.append([firstAttempts([0, 1, 3].map((step) => sampleSuccess(row * 10 + step)))]);
      }
      const afters = [293, 0, 151, 12, 13, 290, 151];
      expect(await find(afters)).toEqual([
        ...[293, 0, 151].map((after) => [sampleSuccess(after)]),
        [],
        ...[13, 290, 151].map((after) => [sampleSuccess(after)]),
      ]);
    });

    it('adds the successes that resends replaced, oldest first, at most ten', async () => {
      const { evidence } = opened.direct;
      const replaced = (cycle: number) => sampleSuccess(2, { cycle, attempts: 3, status: 201 });
      const batch = (cycle: number): EvidenceBatch => {
        return { keyId: KEY_ID, kind: 'replaced', successes: [replaced(cycle)] };
      };
      await evidence.append([firstAttempts([1, 2, 3].map((after) => sampleSuccess(after)))]);
      await evidence.append([batch(3), batch(2)]);
      expect(await find([1, 2, 3])).toEqual([
        [sampleSuccess(1)],
        [sampleSuccess(2), replaced(2), replaced(3)],
        [sampleSuccess(3)],
      ]);
      await evidence.append(Array.from({ length: 12 }, (_, index) => batch(index + 4)));
      const [found = []] = await find([2]);
      expect(found.map(({ cycle }) => cycle)).toEqual([1, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
    });

    it('leaves out a row that is stored already', async () => {
      const { evidence } = opened.direct;
      await evidence.append([firstAttempts([sampleSuccess(1)])]);
      await evidence.append([
        firstAttempts([sampleSuccess(1, { status: 202 })]),
        firstAttempts([sampleSuccess(2)]),
      ]);
      expect(await find([1, 2])).toEqual([[sampleSuccess(1)], [sampleSuccess(2)]]);
    });

    it('is rolled back with its transaction', async () => {
      const failing = opened.storage.transaction(async (tx) => {
        await tx.evidence.append([firstAttempts([sampleSuccess(1)])]);
        throw new Error('rolled back');
      });
      await expect(failing).rejects.toThrow('rolled back');
      expect(await find([1])).toEqual([[]]);
    });

    it('sweeps evidence whose events are all deleted', async () => {
      await seed(opened.direct);
      const { evidence, events, endpoints, deliveries } = opened.direct;
      const logged = [1, 2, 3, 4, 5, 6].map((number) => sampleEvent(number, T0 + number));
      await endpoints.save(sampleEndpoint());
      await appendStamped(opened.direct, logged);
      expect(await endpoints.advanceWatermark(KEY_ID, T0 + 6)).toBe(true);
      await evidence.append(
        [[1, 2], [3, 4], [5], [6]].map((afters) =>
          firstAttempts(afters.map((after) => sampleSuccess(after))),
        ),
      );
      expect(await evidence.sweep(T0 + 100, 10)).toBe(0);
      // A dead letter keeps its event.
      const [, , third] = logged;
      if (third === undefined) throw new Error('No such event.');
      await deliveries.save([sampleDelivery(third, { state: 'dead', dueAt: null })]);
      expect(await events.sweep(T0 + 6, 10)).toBe(4);
      expect(await evidence.sweep(T0 + 6, 10)).toBe(2);
      expect((await find([1, 2, 3, 4, 5, 6])).map(({ length }) => length)).toEqual([0, 0, 1, 1, 0, 1]);
    });

    it('sweeps in steps, past evidence that stays', async () => {
      await seed(opened.direct);
      const { evidence } = opened.direct;
      const kept = [1, 2, 3].map((number) => sampleEvent(number, T0 + number));
      await opened.direct.events.append(kept);
      const afters = [1, 2, 3, 11, 12, 13, 14, 15];
      await evidence.append(afters.map((after) => firstAttempts([sampleSuccess(after)])));
      const sweepAll = async (before: Instant) => {
        let removed = 0;
        for (let poll = 0; poll < 10; poll += 1) {
          const step = await evidence.sweep(before, 2);
          expect(step).toBeLessThanOrEqual(2);
          removed += step;
        }
        return removed;
      };
      expect(await sweepAll(T0 + 15)).toBe(4);
      expect((await find(afters)).map(({ length }) => length)).toEqual([1, 1, 1, 0, 0, 0, 0, 1]);
      // Rows that were kept are looked at again.
      expect(await sweepAll(T0 + 16)).toBe(1);
    });
  });
}
