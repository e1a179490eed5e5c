/** How a started worker finds work: by polling, and at once when woken. */

import { settle } from '@partner-hiring/test-support/clock';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import {
  type AttemptOutcome,
  deliveryWithoutRow,
  restart,
} from '../../../packages/core/src/domain/delivery.js';
import { hang, openStage, SETTLE_MS, until } from './stage.js';
import { watchStorage } from './watch-storage.js';

const stage = perTest(openStage, ({ close }) => close());

describe('a started worker', () => {
  it('sends at once when woken', async () => {
    const keyId = await stage.key();
    const worker = stage.start();
    await stage.record(keyId);
    worker.wake();
    await until(() => stage.sent().length === 1);
  });

  it('finds events of other processes within a second', async () => {
    const keyId = await stage.key();
    stage.start();
    await stage.clock.advance(10);
    await stage.record(keyId);
    await stage.clock.advance(1_000);
    await until(() => stage.sent().length === 1);
  });

  it('sends at once when woken for an endpoint whose attempts hang', async () => {
    const { keyId, first } = await stage.keyWithEvents();
    const hanging = hang(stage.transport, (id) => id === first?.id);
    const worker = stage.start();
    await until(() => hanging.count() === 1);
    await stage.record(keyId);
    worker.wake();
    await stage.clock.advance(100);
    await until(() => stage.sent().length === 2);
    await hanging.endWith(answered(200));
  });

  it('sends at once, without a lease, when woken for a key with a sender', async () => {
    const { keyId, first } = await stage.keyWithEvents();
    const hanging = hang(stage.transport, (id) => id === first?.id);
    const { storage, leases } = watchStorage(stage.storage);
    const worker = stage.start({ storage });
    await until(() => hanging.count() === 1);
    await settle(20);
    const before = leases();
    await stage.record(keyId);
    worker.wake(new Set([keyId]));
    await stage.clock.advance(100);
    await until(() => stage.sent().length === 2);
    expect(leases()).toBe(before);
    await hanging.endWith(answered(200));
  });

  it('makes due attempts although it is often woken for events', async () => {
    const { keyId, first: stuck, second: failing } = await stage.keyWithEvents(2);
    const hanging: ((outcome: AttemptOutcome) => void)[] = [];
    stage.transport.answerWith(({ body }) =>
      body.includes(stuck?.id ?? '') ? new Promise((resolve) => hanging.push(resolve)) : answered(500),
    );
    stage.setJitter(0);
    const worker = stage.start();
    const attempts = () => stage.sent().filter((id) => id === failing?.id).length;
    await until(() => attempts() === 1);
    for (let passedMs = 0; passedMs < 62_000; passedMs += 500) {
      await stage.clock.advance(500);
      worker.wake(new Set([keyId]));
      await settle(5);
    }
    await until(() => attempts() === 2);
    for (const end of hanging) end(answered(200));
    await settle();
  });

  it('reads more when fewer events wait than may be in flight', async () => {
    await stage.keyWithEvents(32);
    const hanging = hang(stage.transport);
    const { storage, polls } = watchStorage(stage.storage);
    const worker = stage.start({ storage, options: { readBatch: 16 } });
    await until(() => hanging.count() === 4);
    for (let ended = 0; ended < 8; ended += 1) {
      await hanging.endWith(answered(200), 1);
      await until(() => hanging.count() === 4);
    }
    expect(polls()).toBe(1);
    await hanging.endWith(answered(200), 1);
    await until(() => polls() === 2);
    await hanging.endAll();
    await worker.stop();
  });

  it('polls once for all wakes within 5 ms while an attempt is in flight', async () => {
    const { keyId, first } = await stage.keyWithEvents();
    const hanging = hang(stage.transport, (id) => id === first?.id);
    const { storage, polls } = watchStorage(stage.storage);
    const worker = stage.start({ storage });
    await until(() => hanging.count() === 1);
    await settle(20);
    for (let ms = 0; ms < 5; ms += 1) {
      worker.wake(new Set([keyId]));
      await stage.clock.advance(ms === 4 ? 0 : 1);
    }
    expect(polls()).toBe(1);
    await stage.clock.advance(1);
    await until(() => polls() === 2);
    await stage.clock.advance(100);
    expect(polls()).toBe(2);
    await hanging.endWith(answered(200));
  });

  it('polls at once under its lease when woken without attempts in flight', async () => {
    const { keyId } = await stage.keyWithEvents();
    const { storage, leased } = watchStorage(stage.storage);
    const worker = stage.start({ storage });
    await until(() => stage.sent().length === 1);
    await settle(20);
    await stage.record(keyId);
    worker.wake(new Set([keyId]));
    await until(() => stage.sent().length === 2);
    expect(leased()).toBe(1);
  });

  it('makes a due attempt at once when woken without a key', async () => {
    const { keyId, first: stuck, second: failed } = await stage.keyWithEvents(2);
    const hanging = hang(stage.transport, (id) => id === stuck?.id);
    const worker = stage.start();
    await until(() => stage.sent().length === 2);
    await stage.clock.advance(SETTLE_MS);
    const delivered = deliveryWithoutRow({ keyId, id: failed?.id ?? 'evt_', at: failed?.at ?? 0 }, true);
    await stage.storage.direct.deliveries.save([restart(delivered, stage.clock.now())]);
    worker.wake();
    await stage.clock.advance(5);
    await until(() => stage.sent().length === 3);
    expect(stage.sent()[2]).toBe(failed?.id);
    await hanging.endWith(answered(200));
  });

  it('reads only the endpoint while a sender has enough events', async () => {
    await stage.keyWithEvents(100);
    const hanging = hang(stage.transport);
    const { storage, polledFor } = watchStorage(stage.storage);
    const worker = stage.start({ storage, options: { readBatch: 16 } });
    await until(() => hanging.count() === 4);
    worker.wake();
    await stage.clock.advance(3_000);
    expect(polledFor().map(({ logLimit, dueLimit }) => [logLimit, dueLimit])).toEqual([
      [16, 16],
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
    await hanging.endAll();
  });

  it('does not ask for due deliveries when woken for events', async () => {
    const { keyId, first } = await stage.keyWithEvents();
    const hanging = hang(stage.transport, (id) => id === first?.id);
    const { storage, polledFor } = watchStorage(stage.storage);
    const worker = stage.start({ storage });
    await until(() => hanging.count() === 1);
    await stage.record(keyId);
    worker.wake(new Set([keyId]));
    await stage.clock.advance(5);
    await until(() => stage.sent().length === 2);
    expect(polledFor().map(({ dueLimit }) => dueLimit > 0)).toEqual([true, false]);
    await hanging.endWith(answered(200));
  });

  it('sends at once when woken for a key without a sender', async () => {
    const [busy, other] = [await stage.key(), await stage.key()];
    const [first] = await stage.record(busy);
    const hanging = hang(stage.transport, (id) => id === first?.id);
    const worker = stage.start();
    await until(() => hanging.count() === 1);
    await stage.record(other);
    worker.wake(new Set([other, busy]));
    await until(() => stage.sent().length === 2);
    await hanging.endWith(answered(200));
  });

  it.each([
    { named: 'a key', isNamed: true },
    { named: 'no key', isNamed: false },
  ])('sends at once when woken with $named while a sender ends', async ({ isNamed }) => {
    const { keyId } = await stage.keyWithEvents();
    const { storage } = stage;
    let isFirst = true;
    const worker = stage.start({
      storage: {
        direct: storage.direct,
        async transaction(work) {
          if (isFirst) {
            isFirst = false;
            await stage.record(keyId);
            worker.wake(isNamed ? new Set([keyId]) : undefined);
            await settle(20);
          }
          return storage.transaction(work);
        },
      },
    });
    await until(() => stage.sent().length === 1);
    // The sender ends when it must record.
    await stage.clock.advance(SETTLE_MS);
    await until(() => stage.sent().length === 2);
  });
});
