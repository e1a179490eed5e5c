/** A resumed endpoint gets its backlog at its own pace and does not delay others. */

import { passUntil } from '@partner-hiring/test-support/clock';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../packages/core/src/domain/time.js';
import type { WebhookTransport } from '../../../packages/core/src/ports/host-services.js';
import { hang, openStage, until } from './stage.js';

const stage = perTest(openStage, ({ close }) => close());

/** Answers after some event-loop iterations and counts the attempts in flight per URL. */
function countingTransport(iterations: number) {
  const inFlight = new Map<string, number>();
  const most = new Map<string, number>();
  const sent: string[] = [];
  const transport: WebhookTransport = {
    post: async ({ url }) => {
      const count = (inFlight.get(url) ?? 0) + 1;
      inFlight.set(url, count);
      most.set(url, Math.max(most.get(url) ?? 0, count));
      sent.push(url);
      for (let count = 0; count < iterations; count += 1)
        await new Promise((resolve) => setImmediate(resolve));
      inFlight.set(url, (inFlight.get(url) ?? 1) - 1);
      return answered(200);
    },
    close: async () => {},
  };
  return { transport, most, sent };
}

describe('a resumed endpoint with a backlog', () => {
  it('respects its concurrency limit with retries, new events and two workers', async () => {
    const url = 'https://big.example.org/hooks';
    const keyId = await stage.key({ url });
    await stage.record(keyId, 40);
    stage.transport.answerWith(() => answered(500));
    await stage.worker().drain();
    await stage.pause(keyId);
    await stage.record(keyId, 200);
    // All retries are due now, together with the new events.
    await stage.clock.advance(24 * HOUR_MS);
    await stage.resume(keyId);
    const { transport, most, sent } = countingTransport(3);
    const workers = [stage.worker({ transport }), stage.worker({ transport })];
    await passUntil(stage.clock, Promise.all(workers.map((worker) => worker.drain())));
    expect(sent).toHaveLength(240);
    expect(most.get(url)).toBe(4);
  });

  it('does not delay the events of others', async () => {
    const big = await stage.key({ url: 'https://big.example.org/hooks' });
    const small = await Promise.all(
      [1, 2, 3].map((number) => stage.key({ url: `https://small-${number}.example.org/hooks` })),
    );
    await stage.pause(big);
    await stage.record(big, 600);
    await stage.resume(big);
    for (const keyId of small) await stage.record(keyId, 2);
    const { transport, sent } = countingTransport(2);
    await stage.worker({ transport, options: { maxInFlight: 4 } }).drain();
    expect(sent).toHaveLength(606);
    const lastOfSmall = sent.findLastIndex((url) => url.includes('small'));
    expect(lastOfSmall).toBeLessThan(300);
  });

  it('does not delay others while it hangs', async () => {
    const big = await stage.key({ url: 'https://big.example.org/hooks' });
    const other = await stage.key();
    await stage.pause(big);
    const backlog = new Set((await stage.record(big, 100)).map(({ id }) => id as string));
    await stage.resume(big);
    const hanging = hang(stage.transport, (id) => backlog.has(id));
    const worker = stage.worker({ options: { maxInFlight: 8 } });
    worker.start();
    await until(() => hanging.count() === 1);
    const events = await stage.record(other, 20);
    worker.wake();
    await until(() => stage.sent().filter((id) => !backlog.has(id)).length === events.length);
    expect(hanging.count()).toBe(1);
    await hanging.endAll();
    await worker.stop();
  });
});

describe('pausing while an attempt is in flight', () => {
  it('resumes although the attempt then fails', async () => {
    const { keyId, first: event } = await stage.keyWithEvents();
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

  it('adds at most one alert and loses no event when an operator pauses as well', async () => {
    for (const operatorFirst of [true, false]) {
      const { keyId, events } = await stage.keyWithEvents(3);
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
