import type {
  EndpointBacklog,
  Instant,
  KeyId,
  Repositories,
  StoredDelivery,
} from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import type { EndpointOutline } from '../../../../packages/core/src/ports/repositories/endpoints.js';
import {
  appendStamped,
  KEY_ID,
  LONG_LEASE_MS,
  OTHER_KEY_ID,
  SHORT_LEASE_MS,
  sampleDelivery,
  sampleEndpoint,
  sampleEvent,
  sampleKey,
  samplePartner,
  sampleSettlement,
  seed,
  T0,
} from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

const NOW = T0 + 100;
const LEASE = { token: 'mine', forMs: SHORT_LEASE_MS };
const PAUSED = { kind: 'paused', reason: 'gone', pausedAt: T0 } as const;

async function outlines({ endpoints }: Repositories): Promise<readonly EndpointOutline[]> {
  return (await endpoints.states()).toSorted((a, b) => (a.keyId < b.keyId ? -1 : 1));
}

function keysOf(rows: readonly { readonly keyId: KeyId }[]): KeyId[] {
  return rows.map(({ keyId }) => keyId);
}

function hasBacklog({ unsent, due, scheduled, dead }: EndpointBacklog): boolean {
  return unsent + due + scheduled + dead > 0;
}

export function describeEndpointBacklogs<HostTx>(open: OpenStorage<HostTx>): void {
  describe('backlogs of endpoints', () => {
    const opened = useStorage(open);

    /**
     * Adds five events before the watermark and six after it. Of the first five deliveries, one is due again,
     * one is scheduled, one is dead, and two are done.
     */
    async function prepare(): Promise<void> {
      await seed(opened.direct);
      const { endpoints, deliveries } = opened.direct;
      await endpoints.save(sampleEndpoint());
      await endpoints.save(sampleEndpoint(OTHER_KEY_ID, { state: PAUSED }));
      const log = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => sampleEvent(number + 20, T0 + number));
      await appendStamped(opened.direct, [...log, sampleEvent(1, T0 + 1, OTHER_KEY_ID)]);
      await endpoints.advanceWatermark(KEY_ID, T0 + 3);
      const [cancelled, delivered, due, scheduled, dead] = log.map((event) => sampleDelivery(event));
      if (!(cancelled && delivered && due && scheduled && dead)) throw new Error('Eleven were recorded.');
      await deliveries.save([
        { ...due, dueAt: NOW },
        { ...scheduled, dueAt: NOW + 1 },
        { ...dead, state: 'dead', dueAt: null },
        { ...cancelled, state: 'cancelled', dueAt: null },
        { ...delivered, state: 'delivered', dueAt: null },
      ]);
    }

    it('polls new events, due deliveries and endpoints', async () => {
      await seed(opened.direct);
      const { endpoints, events, deliveries } = opened.direct;
      const [first, second, third] = [1, 2, 3].map((number) => sampleEvent(number, T0 + number));
      if (!first || !second || !third) throw new Error('There are three.');
      await events.append([first, second, third, sampleEvent(1, T0 + 1, OTHER_KEY_ID)]);
      await endpoints.save(sampleEndpoint());
      const delivery = sampleDelivery(first, { dueAt: T0 + 5 });
      await deliveries.save([delivery, sampleDelivery(second, { dueAt: T0 + 6 })]);
      const asked = [OTHER_KEY_ID, KEY_ID].map((keyId) => ({
        keyId,
        after: T0 + 1,
        logLimit: 1,
        dueLimit: 9,
      }));
      expect(await endpoints.poll(asked, T0 + 5)).toEqual([
        { log: [], due: [], endpoint: null },
        { log: [second], due: [{ delivery, event: first }], endpoint: sampleEndpoint() },
      ]);
      const onlyNew = asked.map((each) => ({ ...each, dueLimit: 0 }));
      expect((await endpoints.poll(onlyNew, T0 + 5)).map(({ log, due }) => ({ log, due }))).toEqual([
        { log: [], due: [] },
        { log: [second], due: [] },
      ]);
    });

    it('count events and deliveries, for one endpoint or all, up to the bound', async () => {
      await prepare();
      const { endpoints } = opened.direct;
      const one = {
        keyId: KEY_ID,
        state: 'active',
        isHeld: false,
        unsent: 6,
        oldestUnsentAt: T0 + 4,
        due: 1,
        oldestDueAt: NOW,
        scheduled: 1,
        dead: 1,
        oldestPendingAt: T0 + 1,
        resumedAt: null,
        gapUntil: null,
      };
      const other = {
        keyId: OTHER_KEY_ID,
        state: 'paused',
        isHeld: false,
        unsent: 1,
        oldestUnsentAt: T0 + 1,
        due: 0,
        oldestDueAt: null,
        scheduled: 0,
        dead: 0,
        oldestPendingAt: null,
        resumedAt: null,
        gapUntil: null,
      };
      expect(await endpoints.backlogs(KEY_ID, NOW, 100)).toEqual([one]);
      expect(await endpoints.backlogs(null, NOW, 100)).toEqual([one, other]);
      expect(await outlines(opened.direct)).toEqual([
        { keyId: KEY_ID, state: 'active', isHeld: false, mayWait: true },
        { keyId: OTHER_KEY_ID, state: 'paused', isHeld: false, mayWait: true },
      ]);
      expect(await endpoints.backlogs(KEY_ID, NOW, 4)).toEqual([{ ...one, unsent: 4 }]);
      expect(await endpoints.backlogs(KEY_ID, NOW - 1, 4)).toMatchObject([
        { due: 0, oldestDueAt: null, scheduled: 2 },
      ]);
      expect(await endpoints.backlogs('key_none', NOW, 4)).toEqual([]);
    });

    it('match the lists for endpoints in every state, in the order of keys', async () => {
      const cases = await prepareEveryState(opened.direct);
      const { endpoints, deliveries, events } = opened.direct;
      async function listed({ keyId, watermark, isHeld, isPaused }: EndpointCase): Promise<EndpointBacklog> {
        const [unsent = []] = await events.readLogs([{ keyId, after: watermark, limit: 9 }]);
        const pending = await deliveries.list({ keyId, state: 'pending', limit: 9 });
        const due = pending.flatMap(({ dueAt }) => (dueAt !== null && dueAt <= NOW ? [dueAt] : []));
        const dead = await deliveries.list({ keyId, state: 'dead', limit: 9 });
        return {
          keyId,
          state: isPaused ? 'paused' : 'active',
          isHeld,
          unsent: unsent.length,
          oldestUnsentAt: unsent[0]?.at ?? null,
          due: due.length,
          oldestDueAt: due[0] ?? null,
          resumedAt: null,
          gapUntil: null,
          oldestPendingAt: pending.map(({ pendingSince }) => pendingSince).sort((a, b) => a - b)[0] ?? null,
          scheduled: pending.length - due.length,
          dead: dead.length,
        };
      }
      const expected = await Promise.all(cases.toSorted((a, b) => (a.keyId < b.keyId ? -1 : 1)).map(listed));
      expect(await endpoints.backlogs(null, NOW, 100)).toEqual(expected);
      expect(await endpoints.markIdle(NOW, 100)).toBe(
        cases.filter((each) => each.watermark === T0 + 2).length,
      );
      expect(await endpoints.backlogs(null, NOW, 100)).toEqual(expected);
      const waiting = (await outlines(opened.direct)).filter(({ mayWait }) => mayWait);
      expect(await endpoints.backlogsOf(keysOf(waiting), NOW, 100)).toEqual(
        expected.filter(({ keyId }) => keysOf(waiting).includes(keyId)),
      );
      expect(keysOf(waiting)).toEqual(expect.arrayContaining(keysOf(expected.filter(hasBacklog))));
      expect(waiting.length).toBeLessThan(expected.length);
      const eachAlone = await Promise.all(expected.map(({ keyId }) => endpoints.backlogs(keyId, NOW, 100)));
      expect(eachAlone.flat()).toEqual(expected);
    });

    it('report whether a worker holds the endpoint', async () => {
      await prepare();
      const { endpoints } = opened.direct;
      await endpoints.lease(LEASE, NOW, 10);
      const isHeld = async (now: number) => (await endpoints.backlogs(KEY_ID, now, 1))[0]?.isHeld;
      expect([await isHeld(NOW), await isHeld(Number.MAX_SAFE_INTEGER)]).toEqual([true, true]);
      await opened.pass(LEASE.forMs);
      expect([await isHeld(NOW), await isHeld(0)]).toEqual([false, false]);
    });

    it('are skipped only while no worker holds the endpoint, and never backwards', async () => {
      await prepare();
      const { endpoints } = opened.direct;
      const unsent = async () => (await endpoints.backlogs(KEY_ID, NOW, 100))[0]?.unsent;
      expect(await endpoints.advanceWatermark(KEY_ID, T0 + 3)).toBe(false);
      expect(await endpoints.advanceWatermark(KEY_ID, T0 + 2)).toBe(false);
      expect(await endpoints.advanceWatermark('key_none', T0 + 5)).toBe(false);
      await endpoints.lease(LEASE, NOW, 10);
      expect(await endpoints.advanceWatermark(KEY_ID, T0 + 5)).toBe(false);
      expect(await unsent()).toBe(6);
      // Advancing the watermark ends the expired lease, so the worker that held it can no longer save results.
      await opened.pass(LEASE.forMs);
      expect(await endpoints.advanceWatermark(KEY_ID, T0 + 5)).toBe(true);
      expect(await unsent()).toBe(4);
      expect(await endpoints.findLeased([{ keyId: KEY_ID, token: LEASE.token }])).toEqual([null]);
    });
  });
}

interface EndpointCase {
  readonly keyId: KeyId;
  readonly isPaused: boolean;
  readonly isHeld: boolean;
  readonly watermark: Instant;
}

const DELIVERIES: readonly Partial<StoredDelivery>[] = [
  { dueAt: NOW },
  { dueAt: NOW + 1 },
  ...(['dead', 'cancelled', 'delivered'] as const).map((state) => ({ state, dueAt: null })),
];

/** One endpoint for each combination of state, lease, unsent event and delivery. */
async function prepareEveryState(direct: Repositories): Promise<readonly EndpointCase[]> {
  const { partners, keys, endpoints, deliveries } = direct;
  const cases: EndpointCase[] = [];
  for (const isPaused of [false, true]) {
    for (const isHeld of [false, true]) {
      for (const watermark of [T0 + 1, T0 + 2]) {
        for (const changes of [null, ...DELIVERIES]) {
          // The ids have no leading zeros, so their order differs from the order of creation.
          const number = cases.length;
          const keyId: KeyId = `key_${number}`;
          await partners.add(samplePartner(`ptn_${number}`));
          await keys.add({ ...sampleKey(keyId, `ptn_${number}`), createdAt: T0 - 1 });
          await endpoints.save(sampleEndpoint(keyId));
          const sent = sampleEvent(number, T0 + 1, keyId);
          await appendStamped(direct, [sent, sampleEvent(number + 1_000, T0 + 2, keyId)]);
          // All earlier endpoints are excluded, so this one is leased.
          const [leased] = isHeld
            ? await endpoints.lease(
                { token: 'mine', forMs: LONG_LEASE_MS },
                T0,
                1,
                cases.map((each) => each.keyId),
              )
            : [];
          expect(leased?.endpoint.keyId).toBe(isHeld ? keyId : undefined);
          if (isHeld) await endpoints.settle([{ ...sampleSettlement({ watermark }), keyId }]);
          else await endpoints.advanceWatermark(keyId, watermark);
          if (changes !== null) await deliveries.save([sampleDelivery(sent, changes)]);
          if (isPaused) await endpoints.save(sampleEndpoint(keyId, { state: PAUSED }));
          cases.push({ keyId, isPaused, isHeld, watermark });
        }
      }
    }
  }
  return cases;
}
