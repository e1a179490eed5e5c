/** `drain` does all due work, started or not. */

import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { beforeEach, describe, expect, it } from 'vitest';
import { hang, openStage, SETTLE_MS, until } from './stage.js';
import { watchStorage } from './watch-storage.js';

const stage = perTest(openStage, ({ close }) => close());

describe('drain', () => {
  it('records the attempts of a started worker at once', async () => {
    const { keyId, first: event } = await stage.keyWithEvents();
    const worker = stage.start();
    await until(() => stage.sent().length === 1);
    await worker.drain();
    expect((await stage.endpoint(keyId)).health.lastSuccessAt).toBe(stage.clock.now());
    await stage.worker().drain();
    expect(stage.sent()).toEqual([event?.id]);
  });

  it('does not change how the worker uses its leases afterwards', async () => {
    const keyId = await stage.key();
    const { storage, leased } = watchStorage(stage.storage);
    const worker = stage.worker({ storage });
    await worker.drain();
    worker.start();
    await stage.record(keyId);
    worker.wake();
    await until(() => stage.sent().length === 1);
    await stage.clock.advance(SETTLE_MS - 1);
    await stage.record(keyId);
    worker.wake(new Set([keyId]));
    await until(() => stage.sent().length === 2);
    expect(leased()).toBe(1);
    await worker.stop();
  });

  it('waits for attempts that a started worker adds', async () => {
    const hanging = hang(stage.transport);
    const worker = stage.start();
    for (let key = 1; key <= 3; key += 1) {
      await stage.record(await stage.key());
      worker.wake();
      await until(() => stage.sent().length === key);
      if (key === 1) void worker.drain().then(() => ended.push(hanging.count()));
      else await hanging.endWith(answered(200), 1);
    }
    await stage.clock.advance(SETTLE_MS);
    expect(ended).toEqual([]);
    await hanging.endWith(answered(200));
    await stage.clock.advance(SETTLE_MS);
    await until(() => ended.length > 0);
    expect(ended).toEqual([0]);
  });
});

/** The attempts in flight at the end of each drain. */
let ended: number[];
beforeEach(() => {
  ended = [];
});
