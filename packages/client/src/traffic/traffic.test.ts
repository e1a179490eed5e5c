import { getEventListeners } from 'node:events';
import {
  all,
  application,
  clientOf,
  FOUND,
  reply,
} from '@partner-hiring/test-support/client/scripted-client';
import {
  endsOf,
  LIST,
  openTraffic,
  READ,
  refusal,
  seconds,
  to,
} from '@partner-hiring/test-support/client/traffic-stage';
import { createFakeClock, STORY_START } from '@partner-hiring/test-support/clock';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../clock.js';
import { trafficOver } from './traffic.js';
import { createTrafficState } from './traffic-state.js';

describe('traffic', () => {
  test('sends at most maxConcurrency requests, and alternates between a long queue and a short one', async () => {
    let underWay = 0;
    let most = 0;
    const order: string[] = [];
    const client = clientOf(
      async (url) => {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setTimeout(resolve, 1));
        underWay -= 1;
        order.push(url);
        return url.includes('/jobs') ? reply(200, { data: [] }) : FOUND;
      },
      { maxConcurrency: 2, clock: systemClock },
    );
    const reads = Array.from({ length: 20 }, () => client.applications.get('ej_app_1'));
    await Promise.all([...reads, all(client.jobs.list())]);
    expect(most).toBe(2);
    expect(order.findIndex((url) => url.includes('/jobs'))).toBeLessThan(5);
  });

  test('ignores rate headers with a limit of 0', async () => {
    const none = { 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '0' };
    const client = clientOf(async () => reply(200, application('ej_app_1'), none), {
      maxConcurrency: 1,
    });
    const reads = ['ej_app_1', 'ej_app_2', 'ej_app_3'].map((id) => client.applications.get(id));
    await expect(Promise.all(reads)).resolves.toHaveLength(3);
  });

  test('waits for the longest Retry-After of several 429s', async () => {
    const clock = createFakeClock();
    const waits = ['10', '1'];
    const sentAfter: number[] = [];
    const client = clientOf(
      async () => {
        sentAfter.push(clock.now() - STORY_START);
        const [wait] = waits.splice(0, 1);
        return wait === undefined ? FOUND : reply(429, '', { 'retry-after': wait });
      },
      { clock },
    );
    const reads = ['ej_app_1', 'ej_app_2'].map((id) => client.applications.get(id));
    await clock.advance(0);
    await clock.advance(10_000);
    await Promise.all(reads);
    expect(sentAfter).toEqual([0, 0, 10_000, 10_000]);
  });

  test.each([{}, { 'retry-after': '0' }])(
    'backs off up to a minute after 429s without a usable Retry-After: %j',
    async (headers) => {
      const clock = createFakeClock();
      const sentAfter: number[] = [];
      const client = clientOf(
        async () => {
          sentAfter.push((clock.now() - STORY_START) / 1_000);
          return reply(429, 'slow down', headers);
        },
        { clock, totalTimeoutMs: 300_000 },
      );
      const refused = expect(client.applications.get('ej_app_1')).rejects.toMatchObject({ code: 'HTTP_429' });
      await clock.advance(0);
      for (let second = 1; second <= 300; second += 1) await clock.advance(1_000);
      await refused;
      expect(sentAfter).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
    },
  );

  test('backs off once for concurrent 429s, and starts over after a success', async () => {
    const clock = createFakeClock();
    const answers = [429, 429, 429, 429, 200, 200, 429, 200];
    const sentAfter: number[] = [];
    const client = clientOf(
      async () => {
        sentAfter.push(clock.now() - STORY_START);
        return reply(answers.shift() ?? 404, application('ej_app_1'));
      },
      { clock },
    );
    const read = () => client.applications.get('ej_app_1');
    const both = [read(), read()];
    for (let second = 0; second <= 3; second += 1) await clock.advance(second === 0 ? 0 : 1_000);
    await Promise.all(both);
    const third = read();
    await clock.advance(0);
    await clock.advance(1_000);
    await third;
    expect(sentAfter).toEqual([0, 0, 1_000, 1_000, 3_000, 3_000, 3_000, 4_000]);
  });
});

describe('a request with an aborted signal', () => {
  test('does not wait when the signal has already aborted', async () => {
    const { clock, ask, timers } = openTraffic({ maxConcurrency: 1 });
    const first = ask(READ);
    const asked = ask(READ, { signal: AbortSignal.abort('gone') });
    await clock.advance(0);
    expect(asked.end).toBe('gone');
    first.permit?.returned(null);
    await clock.advance(0);
    expect(timers.running).toBe(0);
  });

  test('rejects at once while it waits, and the next request takes its place', async () => {
    const { clock, ask } = openTraffic({ maxConcurrency: 1 });
    const ending = new AbortController();
    const first = ask(READ);
    const gone = ask(READ, { signal: ending.signal });
    const next = ask(READ);
    await clock.advance(0);
    ending.abort('gone');
    await clock.advance(0);
    expect(endsOf([first, gone, next])).toEqual(['left', 'gone', 'waits']);
    first.permit?.returned(null);
    await clock.advance(0);
    expect(next.end).toBe('left');
  });

  test('returns a permit that it has just received', async () => {
    const { clock, ask } = openTraffic({ maxConcurrency: 1 });
    const ending = new AbortController();
    const gone = ask(READ, { signal: ending.signal });
    ending.abort('gone');
    const next = ask(READ);
    await clock.advance(0);
    expect(endsOf([gone, next])).toEqual(['gone', 'left']);
  });

  test('removes its listener from a shared signal', async () => {
    const { clock, ask } = openTraffic();
    const { signal } = new AbortController();
    const asked = ask(READ, { signal });
    await clock.advance(0);
    expect(asked.end).toBe('left');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('a request that reaches its deadline', () => {
  test('leaves the queue without the others', async () => {
    const { clock, ask } = openTraffic({ maxConcurrency: 1 });
    const first = ask(READ);
    const late = ask(READ, { withinMs: seconds(10) });
    const others = [ask(READ), ask(READ), ask(LIST), ask(LIST)];
    await clock.advance(seconds(9));
    expect(late.end).toBe('waits');
    await clock.advance(seconds(1));
    expect(late).toMatchObject({ end: 'given up', permit: null });
    for (const asked of [first, ...others]) {
      asked.permit?.returned(null);
      await clock.advance(0);
    }
    for (const asked of others) {
      asked.permit?.returned(null);
      await clock.advance(0);
    }
    expect(endsOf(others)).toEqual(Array(4).fill('left'));
  });

  test('keeps no timer running, so a process can end', async () => {
    const { clock, ask, timers } = openTraffic();
    const first = ask(READ);
    await clock.advance(0);
    first.permit?.returned(refusal(60, { scope: 'partner' }));
    const late = ask(READ, { withinMs: seconds(10) });
    await clock.advance(seconds(10));
    expect(late.end).toBe('given up');
    expect(timers.running).toBe(0);
  });
});

describe('a request in a queue', () => {
  test('is sent before later ones', async () => {
    const { clock, ask } = openTraffic({ maxConcurrency: 1 });
    const asked = [ask(READ), ask(READ), ask(READ)];
    await clock.advance(0);
    asked[0]?.permit?.returned(null);
    await clock.advance(0);
    expect(endsOf(asked)).toEqual(['left', 'left', 'waits']);
  });

  test('needs no timer while it waits for a request under way', async () => {
    const { clock, ask, timers } = openTraffic({ maxConcurrency: 1 });
    const first = ask(READ);
    await clock.advance(0);
    first.permit?.returned(refusal(10, { scope: 'partner' }));
    await clock.advance(seconds(10));
    const [second, third] = [ask(READ), ask(READ)];
    await clock.advance(0);
    expect(endsOf([second, third])).toEqual(['left', 'waits']);
    const { begun } = timers;
    await clock.advance(seconds(100));
    expect(timers).toEqual({ begun, running: 1 });
  });
});

test('forgets the queue of a job without further submissions', async () => {
  const clock = createFakeClock();
  const state = createTrafficState(clock, { maxConcurrency: 8, maxRetryAfterMs: 1_000 }, () => {});
  const traffic = trafficOver(state);
  for (const jobId of ['job_1', 'job_2']) {
    const permit = await traffic.enter(to(jobId), { until: clock.now() + 1_000, onWait: undefined });
    expect([...state.queues.all()]).toHaveLength(1);
    permit?.returned(null);
  }
  expect([...state.queues.all()]).toEqual([]);
});
