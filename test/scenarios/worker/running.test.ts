/** How a started worker finds its work, shares it out, and bears failures. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AttemptOutcome } from '../../../packages/core/src/domain/delivery.js';
import { StorageUnavailable } from '../../../packages/core/src/errors.js';
import type { Worker } from '../../../packages/core/src/worker/worker.js';
import { settle } from '../../support/clock.js';
import { answered } from '../../support/transport.js';
import { hang, openStage, type Stage, until } from './stage.js';

/** How long an ended attempt waits to be recorded. */
const SETTLE_MS = 100;

let stage: Stage;
let running: Worker[] = [];
beforeEach(async () => {
  stage = await openStage();
});
afterEach(async () => {
  await Promise.all(running.map((worker) => worker.stop()));
  running = [];
  await stage.close();
});

function start(parts: Parameters<Stage['worker']>[0] = {}): Worker {
  const worker = stage.worker(parts);
  worker.start();
  running.push(worker);
  return worker;
}

describe('a started worker', () => {
  it('records what has ended, and finds what is new, also after the clock was set back', async () => {
    const keyId = await stage.key();
    const [stuck, done] = await stage.record(keyId, 2);
    const hanging = hang(stage.transport, (id) => id === stuck?.id);
    start();
    await until(() => stage.sent().includes(done?.id ?? ''));
    stage.clock.setBack(3_600_000);
    await stage.clock.advance(1_000);
    await settle(20);
    const passed = await stage.delivery(keyId, stuck?.id ?? 'evt_');
    const [third] = await stage.record(keyId);
    await stage.clock.advance(1_000);
    await settle(20);
    const sent = stage.sent();
    await hanging.endWith(answered(200));
    expect(passed).toMatchObject({ state: 'pending', attempts: 0 });
    expect(sent).toContain(third?.id);
  });

  it('sends at once when nudged, without the clock moving', async () => {
    const keyId = await stage.key();
    const worker = start();
    await stage.record(keyId);
    worker.nudge();
    await until(() => stage.sent().length === 1);
  });

  it('finds what another process recorded within a second', async () => {
    const keyId = await stage.key();
    start();
    await stage.clock.advance(10);
    await stage.record(keyId);
    await stage.clock.advance(1_000);
    await until(() => stage.sent().length === 1);
  });

  it('finds what was recorded while a lane of the same endpoint hangs', async () => {
    const keyId = await stage.key();
    const [first] = await stage.record(keyId);
    const hanging = hang(stage.transport, (id) => id === first?.id);
    start();
    await until(() => hanging.count() === 1);
    const [second] = await stage.record(keyId);
    await stage.clock.advance(1_000);
    await until(() => stage.sent().includes(second?.id ?? ''));
    await hanging.endWith(answered(200));
  });

  it('sends at once what it is nudged for while a lane of the same endpoint hangs', async () => {
    const keyId = await stage.key();
    const [first] = await stage.record(keyId);
    const hanging = hang(stage.transport, (id) => id === first?.id);
    const worker = start();
    await until(() => hanging.count() === 1);
    await stage.record(keyId);
    worker.nudge();
    await stage.clock.advance(100);
    await until(() => stage.sent().length === 2);
    await hanging.endWith(answered(200));
  });

  it('leases nothing for a nudge that names a key whose lane is open, and sends its event at once', async () => {
    const keyId = await stage.key();
    const [first] = await stage.record(keyId);
    const hanging = hang(stage.transport, (id) => id === first?.id);
    const { direct, transaction } = stage.storage;
    let leases = 0;
    const endpoints: typeof direct.endpoints = {
      ...direct.endpoints,
      lease(...asked) {
        leases += 1;
        return direct.endpoints.lease(...asked);
      },
    };
    const worker = start({ storage: { direct: { ...direct, endpoints }, transaction } });
    await until(() => hanging.count() === 1);
    await settle(20);
    const before = leases;
    await stage.record(keyId);
    worker.nudge(new Set([keyId]));
    await stage.clock.advance(100);
    await until(() => stage.sent().length === 2);
    expect(leases).toBe(before);
    await hanging.endWith(answered(200));
  });

  it('makes due attempts however often it is nudged for events alone meanwhile', async () => {
    const keyId = await stage.key();
    const [stuck, failing] = await stage.record(keyId, 2);
    const hanging: ((outcome: AttemptOutcome) => void)[] = [];
    stage.transport.answerWith(({ body }) =>
      body.includes(stuck?.id ?? '') ? new Promise((resolve) => hanging.push(resolve)) : answered(500),
    );
    stage.setJitter(0);
    const worker = start();
    const attempts = () => stage.sent().filter((id) => id === failing?.id).length;
    await until(() => attempts() === 1);
    for (let passedMs = 0; passedMs < 62_000; passedMs += 500) {
      await stage.clock.advance(500);
      worker.nudge(new Set([keyId]));
      await settle(5);
    }
    await until(() => attempts() === 2);
    for (const end of hanging) end(answered(200));
    await settle();
  });

  it('sends at once what it is nudged for by the name of a key that has no lane', async () => {
    const [busy, other] = [await stage.key(), await stage.key()];
    const [first] = await stage.record(busy);
    const hanging = hang(stage.transport, (id) => id === first?.id);
    const worker = start();
    await until(() => hanging.count() === 1);
    await stage.record(other);
    worker.nudge(new Set([other, busy]));
    await until(() => stage.sent().length === 2);
    await hanging.endWith(answered(200));
  });

  it.each([
    { named: 'a key', isNamed: true },
    { named: 'no key', isNamed: false },
  ])(
    'sends at once what it is nudged for with $named in the moment that a lane ends',
    async ({ isNamed }) => {
      const keyId = await stage.key();
      await stage.record(keyId);
      const { storage } = stage;
      let isFirst = true;
      const worker = start({
        storage: {
          direct: storage.direct,
          async transaction(work) {
            if (isFirst) {
              isFirst = false;
              await stage.record(keyId);
              worker.nudge(isNamed ? new Set([keyId]) : undefined);
              await settle(20);
            }
            return storage.transaction(work);
          },
        },
      });
      await until(() => stage.sent().length === 1);
      // It ends when it has to record.
      await stage.clock.advance(SETTLE_MS);
      await until(() => stage.sent().length === 2);
    },
  );

  it('sends what comes before it has to record under the same lease, and records both together', async () => {
    const keyId = await stage.key();
    await stage.record(keyId);
    const { storage } = stage;
    let [leases, settlements] = [0, 0];
    const { endpoints } = storage.direct;
    const worker = start({
      storage: {
        direct: {
          ...storage.direct,
          endpoints: {
            ...endpoints,
            lease: async (...args) => {
              const leased = await endpoints.lease(...args);
              leases += leased.length;
              return leased;
            },
          },
        },
        transaction(work) {
          settlements += 1;
          return storage.transaction(work);
        },
      },
    });
    await until(() => stage.sent().length === 1);
    await stage.clock.advance(SETTLE_MS - 1);
    const [second] = await stage.record(keyId);
    worker.nudge();
    await until(() => stage.sent().length === 2);
    expect([leases, settlements]).toEqual([1, 0]);
    await stage.clock.advance(SETTLE_MS);
    await until(() => settlements === 1);
    await worker.stop();
    const [leased] = await endpoints.lease({ token: 'another', until: Number.MAX_SAFE_INTEGER }, 0, 1);
    expect([leased, second?.id]).toEqual([undefined, stage.sent()[1]]);
  });

  it('works through a backlog of many batches without waiting for a poll', async () => {
    const keyId = await stage.key();
    await stage.record(keyId, 50);
    start({ options: { readBatch: 8 } });
    await until(() => stage.sent().length === 50);
  });

  it('reads past due deliveries that hang already', async () => {
    const keyId = await stage.key();
    await stage.record(keyId, 3);
    stage.transport.answerWith(() => answered(500));
    const worker = stage.worker({ options: { readBatch: 2 } });
    await worker.drain();
    await stage.clock.advance(60_000);
    const hanging = hang(stage.transport);
    const drained = worker.drain();
    await until(() => hanging.count() === 3);
    await hanging.endWith(answered(200));
    await drained;
  });

  it('lets an endpoint with a long backlog take turns with the others when all places are taken', async () => {
    const [long, short] = [await stage.key(), await stage.key()];
    await stage.record(long, 400);
    const hanging = hang(stage.transport);
    const worker = start({ options: { maxInFlight: 1, turnMs: 10_000 } });
    await until(() => hanging.count() === 1);
    const [event] = await stage.record(short);
    for (let second = 0; second < 14 && !stage.sent().includes(event?.id ?? ''); second += 1) {
      await stage.clock.advance(1_000);
      await hanging.endWith(answered(200));
      await until(() => hanging.count() === 1);
    }
    expect(stage.sent()).toContain(event?.id);
    expect(stage.sent().length).toBeLessThan(16);
    stage.transport.answerWith(() => answered(200));
    const stopped = worker.stop();
    await hanging.endWith(answered(200));
    await stopped;
  });

  it('does not let an endpoint that hangs delay another', async () => {
    const [bad, good] = [await stage.key(), await stage.key()];
    const stuck = new Set((await stage.record(bad, 30)).map(({ id }) => id as string));
    const hanging = hang(stage.transport, (id) => stuck.has(id));
    const worker = start({ options: { maxInFlight: 8, maxInFlightPerEndpoint: 8 } });
    await until(() => hanging.count() === 6);
    const events = await stage.record(good, 12);
    worker.nudge();
    await until(() => events.every(({ id }) => stage.sent().includes(id)));
    expect(hanging.count()).toBe(6);
    stage.transport.answerWith(() => answered(200));
    await hanging.endWith(answered(200));
  });

  it('serves more endpoints than it has places, each in its turn', async () => {
    const keys = await Promise.all(Array.from({ length: 7 }, () => stage.key()));
    for (const keyId of keys) await stage.record(keyId, 3);
    start({ options: { maxInFlight: 2 } });
    await until(() => stage.sent().length === 21);
    expect(new Set(stage.sent()).size).toBe(21);
  });

  it('records together what many endpoints were sent, more than it has places for', async () => {
    const { storage } = stage;
    let settlements = 0;
    const keys = await Promise.all(Array.from({ length: 8 }, () => stage.key()));
    for (const keyId of keys) await stage.record(keyId);
    const worker = start({
      options: { maxInFlight: 2 },
      storage: {
        direct: storage.direct,
        transaction(work) {
          settlements += 1;
          return storage.transaction(work);
        },
      },
    });
    await until(() => stage.sent().length === 8);
    await stage.clock.advance(SETTLE_MS);
    await worker.stop();
    // One, and another for a lane that was looking for more just then.
    expect(settlements).toBeLessThanOrEqual(2);
    // All are recorded: nobody sends any again.
    await stage.worker().drain();
    expect(stage.sent()).toHaveLength(8);
  });

  it('settles within a tenth of a second while others still hang', async () => {
    const keyId = await stage.key();
    const events = await stage.record(keyId, 2);
    const hanging = hang(stage.transport);
    start();
    await until(() => hanging.count() === 2);
    await hanging.endWith(answered(500), 1);
    await stage.clock.advance(99);
    expect(await stage.delivery(keyId, events[0]?.id ?? 'evt_')).toBeNull();
    await stage.clock.advance(1);
    await settle(20);
    expect(await stage.delivery(keyId, events[0]?.id ?? 'evt_')).toMatchObject({ attempts: 1 });
    await hanging.endWith(answered(200));
  });
});

describe('a failure', () => {
  it('to open the secrets consumes no attempt, rests the endpoint, and leaves others alone', async () => {
    const foreign = await stage.key({ secrets: [{ sealed: 'other-box:x', expiresAt: null }] });
    const [waiting] = await stage.record(foreign);
    const healthy = await stage.key();
    const [event] = await stage.record(healthy);
    const worker = stage.worker();
    await worker.drain();
    expect(stage.sent()).toEqual([event?.id]);
    expect(await stage.delivery(foreign, waiting?.id ?? 'evt_')).toBeNull();
    expect(stage.errors).toHaveLength(1);
    await stage.clock.advance(59_999);
    await worker.drain();
    expect(stage.errors).toHaveLength(1);

    await stage.change(foreign, (endpoint) => ({
      ...endpoint,
      secrets: [{ sealed: 'sealed:right', expiresAt: null }],
    }));
    await stage.clock.advance(1);
    await worker.drain();
    expect(stage.sent()).toEqual([event?.id, waiting?.id]);
  });

  it('of the storage to record is borne: sending stops, and what ended is recorded once it is back', async () => {
    const keyId = await stage.key();
    const events = await stage.record(keyId, 40);
    let isDown = true;
    const { storage } = stage;
    start({
      storage: {
        direct: storage.direct,
        transaction: (work) =>
          isDown ? Promise.reject(new StorageUnavailable('It is down.')) : storage.transaction(work),
      },
    });
    const hanging = hang(stage.transport);
    await until(() => hanging.count() === 4);
    await hanging.endWith(answered(500), 1);
    await until(() => hanging.count() === 4);
    await stage.clock.advance(5_000);
    const sent = stage.sent().length;
    await hanging.endWith(answered(200));
    expect(stage.sent()).toHaveLength(sent);
    isDown = false;
    stage.transport.answerWith(() => answered(200));
    await stage.clock.advance(10_000);
    await until(() => stage.sent().length === 40);
    await settle(20);
    expect(await stage.delivery(keyId, events[0]?.id ?? 'evt_')).toMatchObject({ attempts: 1 });
    expect(new Set(stage.sent()).size).toBe(40);
  });
});
