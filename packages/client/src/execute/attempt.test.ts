import { getEventListeners } from 'node:events';
import { instantClock, reply } from '@partner-hiring/test-support/client/scripted-client';
import { createFakeClock, type FakeClock } from '@partner-hiring/test-support/clock';
import { expect, test } from 'vitest';
import { systemClock } from '../clock.js';
import { attempt, type Fetch } from './attempt.js';

const URL = 'https://api.example.org/jobs';
const reason = new Error('no longer wanted');

function send(fetch: Fetch, signal?: AbortSignal) {
  return attempt(
    { fetch, clock: systemClock, timeoutMs: 60_000 },
    URL,
    { method: 'GET', headers: {} },
    signal,
  );
}

test('an attempt whose signal was aborted before is not sent', async () => {
  let sent = 0;
  const fetch: Fetch = async () => {
    sent += 1;
    return reply(200, {});
  };
  await expect(send(fetch, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(sent).toBe(0);
});

test('an attempt that is aborted on its way was not lost, but throws the reason', async () => {
  const ending = new AbortController();
  const fetch: Fetch = () => {
    queueMicrotask(() => ending.abort(reason));
    return new Promise(() => {});
  };
  await expect(send(fetch, ending.signal)).rejects.toBe(reason);
});

test.each<[string, (ending: AbortController, clock: FakeClock) => unknown]>([
  ['is aborted', (ending) => ending.abort(reason)],
  ['is late', (_, clock) => clock.advance(60_000)],
])('an attempt that %s has its fetch broken off', async (_, breakOff) => {
  const [ending, clock] = [new AbortController(), createFakeClock()];
  const seen: AbortSignal[] = [];
  const fetch: Fetch = (_url, init) => {
    seen.push(init.signal);
    return new Promise(() => {});
  };
  const deps = { fetch, clock, timeoutMs: 60_000 };
  const over = attempt(deps, URL, { method: 'GET', headers: {} }, ending.signal).catch(() => {});
  expect(seen.map(({ aborted }) => aborted)).toEqual([false]);
  await breakOff(ending, clock);
  await over;
  expect(seen.map(({ aborted }) => aborted)).toEqual([true]);
});

test.each<[string, Fetch]>([
  ['answered', async () => reply(200, {})],
  ['lost', () => Promise.reject(new TypeError('fetch failed'))],
])(
  'an attempt that was %s leaves nothing behind: no listener, and nothing that is aborted late',
  async (kind, fetch) => {
    const { signal } = new AbortController();
    const seen: AbortSignal[] = [];
    const clock = instantClock();
    const watched: Fetch = (url, init) => {
      seen.push(init.signal);
      return fetch(url, init);
    };
    const deps = { fetch: watched, clock, timeoutMs: 60_000 };
    expect(await attempt(deps, URL, { method: 'GET', headers: {} }, signal)).toMatchObject({ kind });
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(seen.map(({ aborted }) => aborted)).toEqual([false]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  },
);
