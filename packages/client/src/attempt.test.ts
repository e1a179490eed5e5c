import { getEventListeners } from 'node:events';
import { clientOf, FOUND, instantClock, reply } from '@partner-hiring/test-support/client/scripted-client';
import { createFakeClock, type FakeClock, settle } from '@partner-hiring/test-support/clock';
import { describe, expect, onTestFinished, test } from 'vitest';
import { attempt } from './attempt.js';
import { systemClock } from './clock.js';
import { type ClientOptions, type Fetch, type FetchResponse, PartnerConnectionError } from './index.js';

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

test('does not send when the signal has already aborted', async () => {
  let sent = 0;
  const fetch: Fetch = async () => {
    sent += 1;
    return reply(200, {});
  };
  await expect(send(fetch, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(sent).toBe(0);
});

test('throws the reason when the signal aborts during the request', async () => {
  const ending = new AbortController();
  const fetch: Fetch = () => {
    queueMicrotask(() => ending.abort(reason));
    return new Promise(() => {});
  };
  await expect(send(fetch, ending.signal)).rejects.toBe(reason);
});

test.each<[string, (ending: AbortController, clock: FakeClock) => unknown]>([
  ['the signal aborts', (ending) => ending.abort(reason)],
  ['the timeout passes', (_, clock) => clock.advance(60_000)],
])('aborts fetch when %s', async (_, abort) => {
  const [ending, clock] = [new AbortController(), createFakeClock()];
  const seen: AbortSignal[] = [];
  const fetch: Fetch = (_url, init) => {
    seen.push(init.signal);
    return new Promise(() => {});
  };
  const deps = { fetch, clock, timeoutMs: 60_000 };
  const over = attempt(deps, URL, { method: 'GET', headers: {} }, ending.signal).catch(() => {});
  expect(seen.map(({ aborted }) => aborted)).toEqual([false]);
  await abort(ending, clock);
  await over;
  expect(seen.map(({ aborted }) => aborted)).toEqual([true]);
});

test.each<[string, Fetch]>([
  ['answered', async () => reply(200, {})],
  ['lost', () => Promise.reject(new TypeError('fetch failed'))],
])('removes its listener and timer after an attempt was %s', async (kind, fetch) => {
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
});

describe('a request', () => {
  test.each<[string, () => Promise<FetchResponse>]>([
    ['headers', () => new Promise(() => {})],
    ['a body', async () => ({ ...reply(200, ''), text: () => new Promise<string>(() => {}) })],
  ])('waits for %s at most timeoutMs, even if fetch ignores its signal', async (_, fetch) => {
    const failures: unknown[] = [];
    const onAttempt: ClientOptions['onAttempt'] = ({ failure }) => failures.push(failure);
    const error = await clientOf(fetch, { maxAttempts: 2, onAttempt })
      .applications.get('ej_app_1')
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(PartnerConnectionError);
    expect(error).toMatchObject({
      reason: 'timeout',
      message: 'No response within timeoutMs or totalTimeoutMs.',
    });
    expect(failures).toEqual(['timeout', 'timeout']);
  });

  test.each(['is queued', 'is under way'])(
    'throws the reason when its signal aborts while it %s',
    async (when) => {
      const ending = new AbortController();
      const end = () => ending.abort(new Error('no longer wanted'));
      const fetch: Fetch = () => {
        queueMicrotask(end);
        return new Promise(() => {});
      };
      const client = clientOf(fetch, { clock: systemClock, timeoutMs: 120_000 });
      const aborted = client.applications.get('ej_app_1', { signal: ending.signal });
      if (when === 'is queued') end();
      await expect(aborted).rejects.toThrow('no longer wanted');
    },
  );

  test('frees its slot for the next request when it is aborted', async () => {
    const ending = new AbortController();
    let requests = 0;
    const fetch: Fetch = () => {
      requests += 1;
      return requests === 1 ? new Promise(() => {}) : Promise.resolve(FOUND);
    };
    const client = clientOf(fetch, { clock: createFakeClock(), maxConcurrency: 1 });
    const aborted = client.applications.get('ej_app_1', { signal: ending.signal }).catch((e: unknown) => e);
    const next = client.applications.get('ej_app_1');
    await settle();
    expect(requests).toBe(1);
    ending.abort('no longer wanted');
    expect(await aborted).toBe('no longer wanted');
    expect(await next).toMatchObject({ id: 'ej_app_1' });
  });

  test('stops retrying when its signal aborts during a pause', async () => {
    const clock = createFakeClock();
    const ending = new AbortController();
    let requests = 0;
    const client = clientOf(
      async () => {
        requests += 1;
        return reply(503, '', { 'retry-after': '60' });
      },
      { clock },
    );
    const ended = client.applications.get('ej_app_1', { signal: ending.signal }).catch((e: unknown) => e);
    await clock.advance(1_000);
    ending.abort('no longer wanted');
    expect(await ended).toBe('no longer wanted');
    expect(requests).toBe(1);
  });

  test.each<[string, () => void]>([
    [
      'throws',
      () => {
        throw new Error('The metrics are down.');
      },
    ],
    ['rejects', () => Promise.reject(new Error('The metrics are down.'))],
  ])('ignores an onAttempt that %s', async (_, onAttempt) => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    onTestFinished(() => void process.off('unhandledRejection', note));
    let requests = 0;
    const client = clientOf(
      async () => {
        requests += 1;
        return requests === 1 ? reply(503, '') : FOUND;
      },
      { onAttempt },
    );
    expect(await client.applications.get('ej_app_1')).toMatchObject({ id: 'ej_app_1' });
    // Node reports unhandled rejections after all microtasks.
    await new Promise((resolve) => setImmediate(resolve));
    expect([requests, unhandled]).toEqual([2, []]);
  });
});
