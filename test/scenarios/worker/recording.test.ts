/** How a started worker records many attempts at once. */

import { settle } from '@partner-hiring/test-support/clock';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import { hang, openStage, SETTLE_MS, until } from './stage.js';
import { watchStorage } from './watch-storage.js';

const stage = perTest(openStage, ({ close }) => close());

describe('a started worker', () => {
  it('sends later events under the same lease and records all together', async () => {
    const { keyId } = await stage.keyWithEvents();
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

  it('records the attempts of more endpoints than its capacity together', async () => {
    const { storage, transactions, polling } = watchStorage(stage.storage);
    const keys = await Promise.all(Array.from({ length: 8 }, () => stage.key()));
    for (const keyId of keys) await stage.record(keyId);
    const worker = stage.start({ options: { maxInFlight: 2 }, storage });
    await until(() => stage.sent().length === 8);
    // Senders poll before they wait, however slow the database is.
    await settle();
    await until(() => polling() === 0);
    await settle();
    await stage.clock.advance(SETTLE_MS);
    await worker.stop();
    // A second one for a sender that was polling.
    expect(transactions()).toBeLessThanOrEqual(2);
    // A second worker finds nothing to send.
    await stage.worker().drain();
    expect(stage.sent()).toHaveLength(8);
  });

  it('records within 100 ms while others hang', async () => {
    const { keyId, events } = await stage.keyWithEvents(2);
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
