/** Stopping a worker. */

import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import { hang, openStage, until } from './stage.js';
import { watchStorage } from './watch-storage.js';

const stage = perTest(openStage, ({ close }) => close());

describe('stop', () => {
  it('starts nothing more and waits until the attempts in flight are recorded', async () => {
    const { events } = await stage.keyWithEvents(10);
    const hanging = hang(stage.transport);
    const worker = stage.worker();
    worker.start();
    await until(() => hanging.count() === 4);
    let isStopped = false;
    const stopped = worker.stop().then(() => {
      isStopped = true;
    });
    await stage.clock.advance(1_000);
    expect(isStopped).toBe(false);
    await hanging.endWith(answered(200));
    await stopped;
    expect(stage.sent()).toHaveLength(4);

    stage.transport.answerWith(() => answered(200));
    await stage.worker().drain();
    expect(stage.sent()).toEqual(events.map(({ id }) => id));
  });

  it('does not poll while attempts end', async () => {
    const { keyId } = await stage.keyWithEvents(2);
    const hanging = hang(stage.transport);
    const { storage, polls } = watchStorage(stage.storage);
    const worker = stage.start({ storage });
    await until(() => hanging.count() === 2);
    const before = polls();
    const stopped = worker.stop();
    worker.wake(new Set([keyId]));
    await stage.clock.advance(3_000);
    expect(polls()).toBe(before);
    await hanging.endWith(answered(200));
    await stopped;
  });

  it('releases new leases without sending', async () => {
    await stage.keyWithEvents();
    const { direct, transaction } = stage.storage;
    let stopped: Promise<void> | null = null;
    const endpoints: typeof direct.endpoints = {
      ...direct.endpoints,
      async lease(...asked) {
        const leased = await direct.endpoints.lease(...asked);
        stopped ??= worker.stop();
        return leased;
      },
    };
    const worker = stage.start({ storage: { direct: { ...direct, endpoints }, transaction } });
    await until(() => stopped !== null);
    await stopped;
    expect(stage.sent()).toEqual([]);
    await stage.worker().drain();
    expect(stage.sent()).toHaveLength(1);
  });

  it('waits at most `stopWithinMs`', async () => {
    await stage.keyWithEvents();
    const hanging = hang(stage.transport);
    const worker = stage.worker({ options: { stopWithinMs: 5_000 } });
    worker.start();
    await until(() => hanging.count() === 1);
    const stopped = worker.stop();
    await stage.clock.advance(5_000);
    await stopped;
    expect(hanging.count()).toBe(1);
  });
});
