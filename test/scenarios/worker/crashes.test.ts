/** Attempts that are repeated after a crash. */

import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import { LEASE_MS, takeOver } from './stage/take-over.js';
import { hang, openStage, until } from './stage.js';

const stage = perTest(openStage, ({ close }) => close());

describe('after a crash, a worker', () => {
  it('repeats only the hanging attempt behind the watermark', async () => {
    const { keyId, events } = await stage.keyWithEvents(10);
    const stuck = events[2]?.id;
    const hanging = hang(stage.transport, (id) => id === stuck);
    const doomed = stage.worker();
    void doomed.drain();
    await until(() => stage.sent().length === 10);
    await stage.clock.advance(200);
    expect(await stage.delivery(keyId, stuck ?? 'evt_')).toMatchObject({ state: 'pending', attempts: 0 });

    await takeOver(stage, keyId);
    await stage.clock.advance(LEASE_MS + 1);
    stage.transport.answerWith(() => answered(200));
    await stage.worker().drain();
    expect(stage.sent().slice(10)).toEqual([stuck]);
    expect(await stage.delivery(keyId, stuck ?? 'evt_')).toMatchObject({ state: 'delivered', attempts: 1 });
    await hanging.endWith(answered(200));
  });

  it('repeats all attempts if none was recorded', async () => {
    const { keyId, events } = await stage.keyWithEvents(3);
    const dying = stage.worker({
      storage: {
        direct: stage.storage.direct,
        transaction: () => Promise.reject(new Error('The process is gone.')),
      },
    });
    void dying.drain();
    await until(() => stage.sent().length === 3);
    await takeOver(stage, keyId);
    await stage.clock.advance(LEASE_MS + 1);
    await stage.worker().drain();
    const ids = events.map(({ id }) => id);
    expect(stage.sent()).toEqual([...ids, ...ids]);
  });
});
