/** Leases with sleeping workers, several workers, and clocks that differ. */

import { settle } from '@partner-hiring/test-support/clock';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import { createSystemRuntime } from '../../../packages/core/src/defaults/system-runtime.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import type { Runtime } from '../../../packages/core/src/ports/runtime.js';
import { LEASE_MS, takeOver } from './stage/take-over.js';
import { hang, openStage, SETTLE_MS, until } from './stage.js';

const stage = perTest(openStage, ({ close }) => close());

describe('a worker', () => {
  it('records nothing under a lost lease; the next holder repeats the attempts', async () => {
    const { keyId, first: event } = await stage.keyWithEvents();
    const hanging = hang(stage.transport);
    const sleeper = stage.worker();
    const slept = sleeper.drain();
    await until(() => hanging.count() === 1);

    await takeOver(stage, keyId);
    await hanging.endWith(answered(500));
    await slept;
    expect(await stage.delivery(keyId, event?.id ?? 'evt_')).toBeNull();
    expect((await stage.endpoint(keyId)).health.consecutiveFailures).toBe(0);

    stage.transport.answerWith(() => answered(500));
    await stage.clock.advance(LEASE_MS + 1);
    await stage.worker().drain();
    expect(await stage.delivery(keyId, event?.id ?? 'evt_')).toMatchObject({ attempts: 1 });
    expect((await stage.endpoint(keyId)).health.consecutiveFailures).toBe(1);
    expect(stage.sent()).toEqual([event?.id, event?.id]);
  });

  it('sends nothing more after a record shows that the lease is lost', async () => {
    const { keyId } = await stage.keyWithEvents(8);
    const hanging = hang(stage.transport);
    const sleeper = stage.worker();
    const slept = sleeper.drain();
    await until(() => hanging.count() === 4);
    await takeOver(stage, keyId);
    await hanging.endWith(answered(200), 1);
    await until(() => hanging.count() === 4);
    await stage.clock.advance(SETTLE_MS);
    await hanging.endWith(answered(200));
    await slept;
    expect(stage.sent()).toHaveLength(5);
  });

  it('sends nothing in the last third of a lease whose renewal is delayed', async () => {
    await stage.record(await stage.key(), 20);
    const { direct, transaction } = stage.storage;
    let letGo = () => {};
    const heldUp = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const endpoints: typeof direct.endpoints = {
      ...direct.endpoints,
      renew: (leases) => heldUp.then(() => direct.endpoints.renew(leases)),
    };
    const hanging = hang(stage.transport);
    const worker = stage.start({ storage: { direct: { ...direct, endpoints }, transaction } });
    await until(() => hanging.count() === 4);
    await stage.clock.advance((2 * LEASE_MS) / 3);
    await hanging.endWith(answered(200), 1);
    expect(stage.sent()).toHaveLength(5);
    await stage.clock.advance(1);
    await hanging.endWith(answered(200), 1);
    expect(stage.sent()).toHaveLength(5);
    letGo();
    await until(() => stage.sent().length === 6);
    await hanging.endAll();
    await worker.stop();
  });

  it('renews its lease while an attempt hangs and the endpoint is paused and resumed', async () => {
    const { keyId } = await stage.keyWithEvents();
    const hanging = hang(stage.transport);
    const drained = stage.worker().drain();
    await until(() => hanging.count() === 1);
    await stage.pause(keyId);
    await stage.clock.advance(2_000);
    await stage.resume(keyId);
    await stage.clock.advance(2 * LEASE_MS);
    await stage.worker().drain();
    expect(stage.sent()).toHaveLength(1);
    await hanging.endWith(answered(200));
    await drained;
  });

  it('releases a lease that was granted too late', async () => {
    await stage.record(await stage.key());
    const { direct, transaction } = stage.storage;
    let asked = 0;
    const endpoints: typeof direct.endpoints = {
      ...direct.endpoints,
      async lease(...lease) {
        const leased = await direct.endpoints.lease(...lease);
        asked += 1;
        if (asked === 1) await stage.clock.sleep((2 * LEASE_MS) / 3 + 1);
        return leased;
      },
    };
    stage.start({ storage: { direct: { ...direct, endpoints }, transaction } });
    await until(() => asked === 1);
    await stage.clock.advance((2 * LEASE_MS) / 3 + 1);
    await settle(20);
    expect(stage.sent()).toEqual([]);
    await stage.clock.advance(1_000);
    await until(() => stage.sent().length === 1);
    expect(asked).toBeGreaterThan(1);
  });

  it('releases its lease with the last record', async () => {
    const { keyId } = await stage.keyWithEvents();
    await stage.worker().drain();
    const [second] = await stage.record(keyId);
    await stage.worker().drain();
    expect(stage.sent().at(-1)).toBe(second?.id);
  });

  it.each([70_000, 100_000, 8 * HOUR_MS])(
    'opens no second sender after the process slept for %i ms',
    async (ms) => {
      const { keyId, first: event } = await stage.keyWithEvents(20);
      const hanging = hang(stage.transport);
      stage.start();
      await until(() => hanging.count() === 4);
      await stage.clock.advance(1_500);
      stage.clock.suspend(ms);
      await stage.clock.advance(2_000);
      expect(hanging.count()).toBe(4);
      stage.transport.answerWith(() => answered(200));
      await hanging.endWith(answered(500));
      await until(() => stage.sent().length === 20);
      await stage.clock.advance(SETTLE_MS);
      expect(new Set(stage.sent()).size).toBe(20);
      expect(await stage.delivery(keyId, event?.id ?? 'evt_')).toMatchObject({ attempts: 1 });
      expect((await stage.endpoint(keyId)).health.lastSuccessAt).not.toBeNull();
    },
  );

  it('leases an endpoint again after a sender that could not record', async () => {
    const { first: event } = await stage.keyWithEvents();
    let isDown = true;
    const { storage } = stage;
    stage.start({
      storage: {
        direct: storage.direct,
        transaction: (work) => (isDown ? Promise.reject(new Error('It fails.')) : storage.transaction(work)),
      },
    });
    await until(() => stage.sent().length === 1);
    await stage.clock.advance(LEASE_MS);
    isDown = false;
    await until(() => stage.sent().length === 2);
    await stage.clock.advance(10_000);
    expect(stage.sent()).toEqual([event?.id, event?.id]);
  });
});

function runtimeAhead(ms: number): Runtime {
  const { clock } = stage;
  return { ...createSystemRuntime(), clock: { now: () => clock.now() + ms, sleep: clock.sleep } };
}

describe.each([2 * MINUTE_MS, -2 * MINUTE_MS, 365 * DAY_MS])(
  'workers with a clock that is %i ms ahead',
  (ms) => {
    it('neither take nor lose a held lease', async () => {
      await stage.keyWithEvents(20);
      const hanging = hang(stage.transport);
      stage.start();
      stage.start({ runtime: runtimeAhead(ms) });
      await until(() => hanging.count() === 4);
      // Longer than the first lease.
      for (let passed = 0; passed < 2 * LEASE_MS; passed += 10_000) await stage.clock.advance(10_000);
      expect(hanging.count()).toBe(4);
      await hanging.endAll();
      await until(() => stage.sent().length >= 20);
      await stage.clock.advance(SETTLE_MS);
      expect(new Set(stage.sent()).size).toBe(20);
      expect(stage.sent()).toHaveLength(20);
    });

    it('take a dead worker’s endpoint exactly when its lease expires', async () => {
      await stage.keyWithEvents();
      const hanging = hang(stage.transport);
      const doomed = stage.worker({ runtime: runtimeAhead(ms), options: { stopWithinMs: 0 } });
      doomed.start();
      await until(() => hanging.count() === 1);
      const stopped = doomed.stop();
      await stage.clock.advance(0);
      await stopped;
      await stage.clock.advance(LEASE_MS - 1);
      await stage.worker().drain();
      expect(stage.sent()).toHaveLength(1);
      await stage.clock.advance(1);
      stage.transport.answerWith(() => answered(200));
      await stage.worker().drain();
      expect(stage.sent()).toHaveLength(2);
    });
  },
);
