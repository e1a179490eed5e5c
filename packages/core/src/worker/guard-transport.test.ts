import { createFakeClock } from '@partner-hiring/test-support/clock';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import type { WebhookTransport } from '../ports/host-services.js';
import { guardTransport } from './guard-transport.js';

const REQUEST = { url: 'https://partner.example/hooks', headers: {}, body: '{}' };

function transportThat(post: WebhookTransport['post']): WebhookTransport {
  return { post, close: async () => {} };
}

const never = transportThat(() => new Promise<never>(() => {}));

describe('guardTransport', () => {
  it('passes outcomes and errors on', async () => {
    const clock = createFakeClock();
    const broken = new Error('The transport is broken.');
    await expect(
      guardTransport(
        transportThat(async () => answered(200)),
        clock,
      ).post(REQUEST),
    ).resolves.toEqual(answered(200));
    await expect(
      guardTransport(
        transportThat(() => Promise.reject(broken)),
        clock,
      ).post(REQUEST),
    ).rejects.toBe(broken);
    const thrower = transportThat(() => {
      throw broken;
    });
    expect(() => guardTransport(thrower, clock).post(REQUEST)).toThrow(broken);
  });

  it('times out when the transport never answers', async () => {
    const clock = createFakeClock();
    const ends: unknown[] = [];
    void guardTransport(never, clock)
      .post(REQUEST)
      .then((end) => ends.push(end));
    await clock.advance(299_999);
    expect(ends).toEqual([]);
    await clock.advance(150_001);
    expect(ends).toMatchObject([{ kind: 'failed', failure: 'timed_out' }]);
  });

  it('uses one timer for all attempts in flight', () => {
    const clock = createFakeClock();
    let timers = 0;
    const sleep: typeof clock.sleep = (...asked) => {
      timers += 1;
      return clock.sleep(...asked);
    };
    const { post } = guardTransport(never, { ...clock, sleep });
    for (let count = 0; count < 2; count += 1) void post(REQUEST);
    expect(timers).toBe(1);
  });

  it('closes the transport with the same signal', async () => {
    const { signal } = new AbortController();
    const signals: unknown[] = [];
    const transport = { ...never, close: async (giveUp?: AbortSignal) => void signals.push(giveUp) };
    await guardTransport(transport, createFakeClock()).close(signal);
    expect(signals).toEqual([signal]);
  });
});
