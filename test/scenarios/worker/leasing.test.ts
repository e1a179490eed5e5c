/** When a started worker leases more endpoints. */

import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import { hang, openStage, until } from './stage.js';
import { watchStorage } from './watch-storage.js';

/** Without records, idle senders stay open. */
const LATER = { settleEveryMs: 60_000, maxInFlightPerEndpoint: 1 };

const stage = perTest(openStage, ({ close }) => close());

async function recordForEach(count: number): Promise<void> {
  for (let each = 0; each < count; each += 1) await stage.record(await stage.key());
}

describe('a started worker', () => {
  it('leases nothing more while it had capacity left', async () => {
    await recordForEach(3);
    const { storage, leases } = watchStorage(stage.storage);
    stage.start({ storage, options: { maxInFlight: 4 } });
    await until(() => stage.sent().length === 3);
    await stage.clock.advance(500);
    expect(leases()).toBe(1);
  });

  it('leases once for all senders that become idle within 20 ms', async () => {
    await recordForEach(10);
    const { storage, leases } = watchStorage(stage.storage);
    const hanging = hang(stage.transport);
    const worker = stage.start({ storage, options: { ...LATER, maxInFlight: 8 } });
    await until(() => hanging.count() === 8);
    for (const ms of [6, 6, 7]) {
      await hanging.endWith(answered(200), 1);
      await stage.clock.advance(ms);
    }
    expect(leases()).toBe(1);
    await stage.clock.advance(1);
    await until(() => hanging.count() === 7);
    await stage.clock.advance(40);
    expect(leases()).toBe(2);
    await hanging.endWith(answered(200));
    await worker.stop();
  });

  it('leases at once when half of its capacity is free', async () => {
    await recordForEach(12);
    const hanging = hang(stage.transport);
    const worker = stage.start({ options: { ...LATER, maxInFlight: 8 } });
    await until(() => hanging.count() === 8);
    await hanging.endWith(answered(200), 4);
    await until(() => hanging.count() === 8);
    await hanging.endWith(answered(200));
    await worker.stop();
  });

  it('leases nothing while its senders have events again', async () => {
    const [first, second] = [await stage.key(), await stage.key()];
    for (const keyId of [first, second]) await stage.record(keyId);
    const { storage, leased } = watchStorage(stage.storage);
    const hanging = hang(stage.transport);
    const worker = stage.start({ storage, options: { ...LATER, maxInFlight: 1 } });
    await until(() => hanging.count() === 1);
    await hanging.endWith(answered(200));
    await stage.clock.advance(20);
    await until(() => hanging.count() === 1);
    await hanging.endWith(answered(200));
    // Both have events now, with capacity for one.
    for (const keyId of [first, second]) await stage.record(keyId);
    worker.wake(new Set([first, second]));
    await stage.clock.advance(20);
    await recordForEach(1);
    worker.wake();
    await stage.clock.advance(20);
    expect(leased()).toBe(2);
    await hanging.endAll();
    await until(() => stage.sent().length === 5);
    await worker.stop();
  });

  it('leases no more than its capacity after many senders ended', async () => {
    await recordForEach(6);
    const { storage, leased } = watchStorage(stage.storage);
    const worker = stage.start({ storage, options: { maxInFlight: 2, maxInFlightPerEndpoint: 1 } });
    for (let poll = 0; poll < 4; poll += 1) await stage.clock.advance(1_000);
    expect([stage.sent().length, leased()]).toEqual([6, 6]);
    const hanging = hang(stage.transport);
    await recordForEach(6);
    for (let poll = 0; poll < 2; poll += 1) await stage.clock.advance(1_000);
    expect([hanging.count(), leased()]).toEqual([2, 8]);
    await hanging.endAll();
    await worker.stop();
  });

  it('ends idle senders when it has four per possible attempt', async () => {
    await recordForEach(9);
    const { storage, transactions } = watchStorage(stage.storage);
    const worker = stage.start({ storage, options: { ...LATER, maxInFlight: 1 } });
    await until(() => stage.sent().length === 9);
    expect(transactions()).toBeGreaterThan(0);
    await worker.stop();
  });
});
