/** How a started worker shares its capacity among endpoints. */

import { settle } from '@partner-hiring/test-support/clock';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import { createSystemRuntime } from '../../../packages/core/src/defaults/system-runtime.js';
import { hang, openStage, until } from './stage.js';

const stage = perTest(openStage, ({ close }) => close());

describe('a started worker', () => {
  it('sends a backlog of many batches without waiting for a poll', async () => {
    await stage.keyWithEvents(50);
    stage.start({ options: { readBatch: 8 } });
    await until(() => stage.sent().length === 50);
  });

  it('reads past due deliveries that hang', async () => {
    await stage.keyWithEvents(3);
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

  it.each([
    ['when the worker is full', 0, {}],
    ['also when the clock was set back', 3_600_000, {}],
    ['however often it reads on', 0, { readBatch: 4, maxInFlightPerEndpoint: 1 }],
  ])('alternates between an endpoint with a long backlog and others %s', async (_when, backMs, batch) => {
    const [long, short] = [await stage.key(), await stage.key()];
    await stage.record(long, 400);
    const hanging = hang(stage.transport);
    const worker = stage.start({ options: { maxInFlight: 1, turnMs: 10_000, ...batch } });
    await until(() => hanging.count() === 1);
    const [event] = await stage.record(short);
    stage.clock.setBack(backMs);
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

  it('sends to an endpoint whose log takes longer to read than `turnMs`', async () => {
    await stage.keyWithEvents();
    const { direct, transaction } = stage.storage;
    let polls = 0;
    const endpoints: typeof direct.endpoints = {
      ...direct.endpoints,
      async poll(...asked) {
        polls += 1;
        await stage.clock.sleep(10_001);
        return direct.endpoints.poll(...asked);
      },
    };
    const storage = { direct: { ...direct, endpoints }, transaction };
    const worker = stage.start({ storage, options: { maxInFlight: 1, turnMs: 10_000 } });
    await until(() => polls === 1);
    await stage.clock.advance(10_001);
    await until(() => stage.sent().length === 1);
    await worker.stop();
  });

  it('sends nothing to an endpoint that it is releasing', async () => {
    const [busy, waiting] = [await stage.key(), await stage.key()];
    await stage.record(busy, 2);
    const hanging = hang(stage.transport);
    const { direct, transaction } = stage.storage;
    let letGo = () => {};
    const heldUp = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let transactions = 0;
    const storage: typeof stage.storage = {
      ...stage.storage,
      direct,
      transaction(work) {
        transactions += 1;
        return heldUp.then(() => transaction(work));
      },
    };
    const worker = stage.start({ storage, options: { maxInFlight: 2, turnMs: 10_000 } });
    await until(() => hanging.count() === 2);
    const [event] = await stage.record(waiting);
    await stage.clock.advance(1_000);
    await stage.clock.advance(10_000);
    await until(() => transactions === 1);
    await hanging.endAll();
    await settle(20);
    expect(stage.sent()).not.toContain(event?.id);
    letGo();
    await stage.clock.advance(1_000);
    await worker.stop();
    expect(stage.sent().filter((id) => id === event?.id)).toHaveLength(1);
  });

  it('does not let a hanging endpoint delay another', async () => {
    const [bad, good] = [await stage.key(), await stage.key()];
    const stuck = new Set((await stage.record(bad, 30)).map(({ id }) => id as string));
    const hanging = hang(stage.transport, (id) => stuck.has(id));
    const worker = stage.start({ options: { maxInFlight: 8, maxInFlightPerEndpoint: 8 } });
    await until(() => hanging.count() === 6);
    const events = await stage.record(good, 12);
    worker.wake();
    await until(() => events.every(({ id }) => stage.sent().includes(id)));
    expect(hanging.count()).toBe(6);
    await hanging.endAll();
  });

  it('leases others when a sender is idle but unrecorded', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => stage.key()));
    for (const keyId of keys) await stage.record(keyId, 2);
    const hanging = hang(stage.transport);
    stage.start({ options: { maxInFlight: 4, maxInFlightPerEndpoint: 1 } });
    for (let sent = 4; sent <= 40; sent += 4) {
      await until(() => stage.sent().length === sent);
      await hanging.endWith(answered(200));
    }
  });

  it('leases others soon while most of its senders hang', async () => {
    const stuck = new Set<string>();
    for (let bad = 0; bad < 3; bad += 1) {
      for (const { id } of await stage.record(await stage.key())) stuck.add(id);
    }
    const hanging = hang(stage.transport);
    const worker = stage.start({
      options: { maxInFlight: 4, maxInFlightPerEndpoint: 1, settleEveryMs: 60_000 },
    });
    await until(() => hanging.count() === 3);
    stage.transport.answerWith(async () => {
      await stage.clock.sleep(5);
      return answered(200);
    });
    for (let good = 0; good < 4; good += 1) await stage.record(await stage.key(), 2);
    worker.wake();
    for (let ms = 0; ms < 120; ms += 5) await stage.clock.advance(5);
    expect(stage.sent()).toHaveLength(stuck.size + 8);
    await hanging.endWith(answered(200));
  });

  it('serves more endpoints than its capacity', async () => {
    const keys = await Promise.all(Array.from({ length: 7 }, () => stage.key()));
    for (const keyId of keys) await stage.record(keyId, 3);
    stage.start({ options: { maxInFlight: 2 } });
    await until(() => stage.sent().length === 21);
    expect(new Set(stage.sent()).size).toBe(21);
  });

  it('continues when `turnMs` ends during the start of an attempt', async () => {
    const keys = [await stage.key(), await stage.key()];
    for (const keyId of keys) await stage.record(keyId, 300);
    // Time passes between two reads of the clock, as on a busy machine.
    let reads = 0;
    const now = () => {
      if (reads > 50_000) throw new Error('The worker reads the clock without end.');
      return stage.clock.now() + reads++;
    };
    const runtime = { ...createSystemRuntime(), clock: { ...stage.clock, now } };
    stage.start({ runtime, options: { maxInFlight: 1, turnMs: 40 } });
    await until(() => new Set(stage.sent()).size === 600);
    expect(stage.errors).toEqual([]);
  });
});
