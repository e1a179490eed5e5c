/** Resuming: a backlog is released at the endpoint's own pace, and others are not kept waiting by it. */

import { answered } from '@partner-hiring/test-support/transport';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../packages/core/src/domain/time.js';
import type { WebhookTransport } from '../../../packages/core/src/ports/webhook-transport.js';
import { hang, openStage, type Stage, until } from './stage.js';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

/** Answers after the given number of turns of the event loop, and counts what is under way to each URL. */
function countingTransport(turns: number) {
  const underWay = new Map<string, number>();
  const most = new Map<string, number>();
  const sent: string[] = [];
  const transport: WebhookTransport = {
    post: async ({ url }) => {
      const count = (underWay.get(url) ?? 0) + 1;
      underWay.set(url, count);
      most.set(url, Math.max(most.get(url) ?? 0, count));
      sent.push(url);
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      underWay.set(url, (underWay.get(url) ?? 1) - 1);
      return answered(200);
    },
    close: async () => {},
  };
  return { transport, most, sent };
}

describe('a resumed endpoint with a backlog', () => {
  it('is never sent more at once than the cap, whoever works: retries, new events, several workers', async () => {
    const url = 'https://big.example.org/hooks';
    const keyId = await stage.key({ url });
    await stage.record(keyId, 40);
    stage.transport.answerWith(() => answered(500));
    await stage.worker().drain();
    await stage.pause(keyId);
    await stage.record(keyId, 200);
    // By now all retries are due at once, on top of the events that were recorded meanwhile.
    await stage.clock.advance(24 * HOUR_MS);
    await stage.resume(keyId);
    const { transport, most, sent } = countingTransport(3);
    const workers = [stage.worker({ transport }), stage.worker({ transport })];
    await Promise.all(workers.map((worker) => worker.drain()));
    expect(sent).toHaveLength(240);
    expect(most.get(url)).toBe(4);
  });

  it('does not keep the events of others waiting until it is empty', async () => {
    const big = await stage.key({ url: 'https://big.example.org/hooks' });
    const small = await Promise.all(
      [1, 2, 3].map((number) => stage.key({ url: `https://small-${number}.example.org/hooks` })),
    );
    await stage.pause(big);
    await stage.record(big, 600);
    await stage.resume(big);
    for (const keyId of small) await stage.record(keyId, 2);
    const { transport, sent } = countingTransport(2);
    // Room for as many attempts as the one endpoint could take by itself.
    await stage.worker({ transport, options: { maxInFlight: 4 } }).drain();
    expect(sent).toHaveLength(606);
    const lastOfSmall = sent.findLastIndex((url) => url.includes('small'));
    // How soon depends on the database's answers; that it is long before the backlog's end does not.
    expect(lastOfSmall).toBeLessThan(300);
  });

  it('may hang: others are sent to meanwhile, and it takes up no more than its cap', async () => {
    const big = await stage.key({ url: 'https://big.example.org/hooks' });
    const other = await stage.key();
    await stage.pause(big);
    const backlog = new Set((await stage.record(big, 100)).map(({ id }) => id as string));
    await stage.resume(big);
    const hanging = hang(stage.transport, (id) => backlog.has(id));
    const worker = stage.worker({ options: { maxInFlight: 8 } });
    worker.start();
    await until(() => hanging.count() === 4);
    const events = await stage.record(other, 20);
    worker.wake();
    await until(() => stage.sent().filter((id) => !backlog.has(id)).length === events.length);
    expect(hanging.count()).toBe(4);
    stage.transport.answerWith(() => answered(200));
    await hanging.endWith(answered(200));
    await worker.stop();
  });
});

describe('pausing and resuming while an attempt is in flight', () => {
  it('pauses once and resumes once, however the attempt ends', async () => {
    const keyId = await stage.key();
    const [event] = await stage.record(keyId);
    const hanging = hang(stage.transport);
    const worker = stage.worker();
    const drained = worker.drain();
    await until(() => hanging.count() === 1);
    await stage.pause(keyId);
    await stage.resume(keyId);
    await hanging.endWith(answered(500));
    await drained;
    expect(await stage.endpoint(keyId)).toMatchObject({
      state: { kind: 'active' },
      health: { consecutiveFailures: 1 },
    });
    expect(await stage.delivery(keyId, event?.id ?? 'evt_')).toMatchObject({ state: 'pending', attempts: 1 });
    expect(stage.alerts).toEqual([]);
  });

  it('an automatic pause meets an operator’s: one alert at most, and no event is lost', async () => {
    for (const operatorFirst of [true, false]) {
      const keyId = await stage.key();
      const events = await stage.record(keyId, 3);
      const before = stage.alerts.length;
      const hanging = hang(stage.transport);
      const worker = stage.worker();
      const drained = worker.drain();
      await until(() => hanging.count() === 3);
      if (operatorFirst) await stage.pause(keyId);
      await hanging.endWith(answered(410));
      await drained;
      if (!operatorFirst) await stage.pause(keyId);
      expect((await stage.endpoint(keyId)).state.kind).toBe('paused');
      expect(stage.alerts.slice(before)).toHaveLength(operatorFirst ? 0 : 1);
      await stage.clock.advance(HOUR_MS);
      stage.transport.answerWith(() => answered(200));
      await stage.resume(keyId);
      await worker.drain();
      for (const { id } of events) {
        expect(await stage.delivery(keyId, id)).toMatchObject({ state: 'delivered', attempts: 2 });
      }
    }
  });
});
