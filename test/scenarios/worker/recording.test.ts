/** How a started worker records what has ended, many attempts at once. */

import { settle } from '@partner-hiring/test-support/clock';
import { answered } from '@partner-hiring/test-support/transport';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hang, openStage, SETTLE_MS, type Stage, until } from './stage.js';
import { watchStorage } from './watch-storage.js';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

describe('a started worker', () => {
  it('sends what comes before it has to record under the same lease, and records both together', async () => {
    const keyId = await stage.key();
    await stage.record(keyId);
    const { storage, leased, transactions } = watchStorage(stage.storage);
    const worker = stage.start({ storage });
    await until(() => stage.sent().length === 1);
    await stage.clock.advance(SETTLE_MS - 1);
    const [second] = await stage.record(keyId);
    worker.wake();
    await until(() => stage.sent().length === 2);
    expect([leased(), transactions()]).toEqual([1, 0]);
    await stage.clock.advance(SETTLE_MS);
    await until(() => transactions() === 1);
    await worker.stop();
    const [free] = await stage.storage.direct.endpoints.lease(
      { token: 'another', forMs: 1 },
      stage.clock.now(),
      1,
    );
    expect([free, second?.id]).toEqual([undefined, stage.sent()[1]]);
  });

  it('records together what many endpoints were sent, more than it has places for', async () => {
    const { storage, transactions } = watchStorage(stage.storage);
    const keys = await Promise.all(Array.from({ length: 8 }, () => stage.key()));
    for (const keyId of keys) await stage.record(keyId);
    const worker = stage.start({ options: { maxInFlight: 2 }, storage });
    await until(() => stage.sent().length === 8);
    // What the last one sent still looks for is answered first, however slow the database is.
    await settle();
    await stage.clock.advance(SETTLE_MS);
    await worker.stop();
    // One, and another for a lane that was looking for more just then.
    expect(transactions()).toBeLessThanOrEqual(2);
    // All are recorded: nobody sends any again.
    await stage.worker().drain();
    expect(stage.sent()).toHaveLength(8);
  });

  it('settles within a tenth of a second while others still hang', async () => {
    const keyId = await stage.key();
    const events = await stage.record(keyId, 2);
    const hanging = hang(stage.transport);
    stage.start();
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
