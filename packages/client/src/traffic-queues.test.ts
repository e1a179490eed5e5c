import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createFakeClock, STORY_START } from '../../../test/support/clock.js';
import type { Answer } from './answer.js';
import type { ClientClock } from './clock.js';
import type { Route } from './route.js';
import { createTraffic, type Permit } from './traffic.js';

const READ: Route = { kind: 'read_application' };
const LIST: Route = { kind: 'list_jobs' };
const to = (jobId: string): Route => ({ kind: 'submit_application', jobId });
const seconds = (count: number) => count * 1_000;

/** Traffic on a clock that is turned by hand, its timers counted. */
function stage({ maxConcurrency = 8 } = {}) {
  const clock = createFakeClock();
  const timers = { begun: 0, running: 0 };
  const counted: ClientClock = {
    now: clock.now,
    sleep: async (ms, signal) => {
      timers.begun += 1;
      timers.running += 1;
      await clock.sleep(ms, signal);
      timers.running -= 1;
    },
  };
  const traffic = createTraffic(counted, { maxConcurrency, maxRetryAfterMs: seconds(300) });

  function ask(route: Route, { withinMs = seconds(3_600), signal }: Asked = {}) {
    const asked = { permit: null as Permit | null, leftAfter: null as number | null, end: 'waits' };
    traffic.enter(route, clock.now() + withinMs, signal).then(
      (permit) => {
        Object.assign(asked, { permit, end: permit === null ? 'given up' : 'left' });
        if (permit !== null) asked.leftAfter = clock.now() - STORY_START;
      },
      (reason: unknown) => Object.assign(asked, { end: String(reason) }),
    );
    return asked;
  }

  return { clock, timers, traffic, ask };
}

interface Asked {
  readonly withinMs?: number;
  readonly signal?: AbortSignal;
}

function answer(status: number, headers: Readonly<Record<string, string>> = {}, json: unknown = {}) {
  const result: Answer = { status, headers: new Headers(headers), json };
  return { kind: 'answered', answer: result } as const;
}

const refusal = (retryAfter: number, whose: Readonly<Record<string, string>>, headers = {}) =>
  answer(
    429,
    { 'retry-after': String(retryAfter), ...headers },
    { error: 'RATE_LIMITED', message: 'Slower.', ...whose },
  );

const endsOf = (asked: readonly { readonly end: string }[]) => asked.map(({ end }) => end);
const leftAfter = (asked: readonly { readonly leftAfter: number | null }[]) =>
  asked.map((one) => one.leftAfter);

describe('who is no longer wanted', () => {
  test('does not wait, if it was so before it asked', async () => {
    const { clock, ask, timers } = stage({ maxConcurrency: 1 });
    const first = ask(READ);
    const asked = ask(READ, { signal: AbortSignal.abort('gone') });
    await clock.advance(0);
    expect(asked.end).toBe('gone');
    first.permit?.returned(null);
    await clock.advance(0);
    expect(timers.running).toBe(0);
  });

  test('is told so at once while it waits, and the next in the queue leaves in its place', async () => {
    const { clock, ask } = stage({ maxConcurrency: 1 });
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

  test('gives its leave back if it had just got it', async () => {
    const { clock, ask } = stage({ maxConcurrency: 1 });
    const ending = new AbortController();
    const gone = ask(READ, { signal: ending.signal });
    ending.abort('gone');
    const next = ask(READ);
    await clock.advance(0);
    expect(endsOf([gone, next])).toEqual(['gone', 'left']);
  });

  test('leaves nothing behind on a signal that many requests share', async () => {
    const { clock, ask } = stage();
    const { signal } = new AbortController();
    const asked = ask(READ, { signal });
    await clock.advance(0);
    expect(asked.end).toBe('left');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('who has waited for as long as it may', () => {
  test('leaves the queue, and nobody else does', async () => {
    const { clock, ask } = stage({ maxConcurrency: 1 });
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

  test('keeps no timer running: a process may end', async () => {
    const { clock, ask, timers } = stage();
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
  test('leaves before those that asked later', async () => {
    const { clock, ask } = stage({ maxConcurrency: 1 });
    const asked = [ask(READ), ask(READ), ask(READ)];
    await clock.advance(0);
    asked[0]?.permit?.returned(null);
    await clock.advance(0);
    expect(endsOf(asked)).toEqual(['left', 'left', 'waits']);
  });

  test('needs no timer while it waits for another one to return', async () => {
    const { clock, ask, timers } = stage({ maxConcurrency: 1 });
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

describe('an answer', () => {
  const told = (remaining: number, headers = {}) => ({
    'x-ratelimit-limit': '10',
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String((STORY_START + seconds(30)) / 1_000),
    ...headers,
  });

  test('lets out what its window has left, and the others once it has ended', async () => {
    const { clock, ask } = stage();
    const first = ask(to('job_1'));
    await clock.advance(0);
    first.permit?.returned(answer(201, told(1)));
    const next = [ask(to('job_1')), ask(to('job_1'))];
    await clock.advance(0);
    expect(endsOf(next)).toEqual(['left', 'waits']);
    await clock.advance(seconds(60));
    expect(leftAfter(next)).toEqual([0, seconds(30)]);
  });

  test.each([
    ['a replay, which is not counted', 201, { 'idempotent-replayed': 'true' }],
    ['a refusal, which may be counted elsewhere', 422, {}],
  ])('that is %s, tells nothing of the bucket', async (_what, status, headers) => {
    const { clock, ask } = stage();
    const first = ask(to('job_1'));
    await clock.advance(0);
    first.permit?.returned(answer(status, told(0, headers)));
    const next = ask(to('job_1'));
    await clock.advance(0);
    expect(next.end).toBe('left');
  });

  test('behind which nobody waits sets no timer, though its window is used up: a process may end', async () => {
    const { clock, ask, timers } = stage();
    const last = ask(READ);
    await clock.advance(0);
    last.permit?.returned(answer(200, told(0)));
    await clock.advance(0);
    expect(timers.running).toBe(0);
  });
});

describe('what is throttled', () => {
  test('opens at its own time, the company that is closed for less before the other', async () => {
    const { clock, ask } = stage();
    const first = [ask(to('job_1')), ask(to('job_2'))];
    await clock.advance(0);
    for (const [index, retryAfter] of [20, 5].entries()) {
      first[index]?.permit?.returned(
        refusal(retryAfter, { scope: 'partner_company', companyId: `co_${index}` }),
      );
    }
    const next = [ask(to('job_1')), ask(to('job_2'))];
    await clock.advance(seconds(60));
    expect(leftAfter(next)).toEqual([seconds(20), seconds(5)]);
  });

  test('is no more than the job that was asked for, where the 429 does not say whose it is', async () => {
    const { clock, ask } = stage();
    const first = [ask(to('job_1')), ask(to('job_2'))];
    await clock.advance(0);
    first[0]?.permit?.returned(refusal(5, { scope: 'partner_company' }));
    first[1]?.permit?.returned(refusal(20, { scope: 'partner_company' }));
    const next = [ask(to('job_1')), ask(to('job_2'))];
    await clock.advance(seconds(60));
    expect(leftAfter(next)).toEqual([seconds(5), seconds(20)]);
  });

  test('opens to no more than the limit that the 429 told, and not before its window ends', async () => {
    const { clock, ask } = stage();
    const first = ask(to('job_1'));
    await clock.advance(0);
    const rate = {
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String((STORY_START + seconds(30)) / 1_000),
    };
    first.permit?.returned(refusal(1, { scope: 'partner_company', companyId: 'co_1' }, rate));
    const next = [ask(to('job_1')), ask(to('job_1')), ask(to('job_1'))];
    await clock.advance(seconds(60));
    expect(leftAfter(next)).toEqual([seconds(30), seconds(30), null]);
  });

  test('is every job of the company, as soon as the 429 says whose the job is', async () => {
    const { clock, traffic, ask } = stage();
    const first = ask(to('job_1'));
    await clock.advance(0);
    first.permit?.returned(refusal(5, { scope: 'partner_company', companyId: 'co_1' }));
    traffic.learn('job_2', 'co_1');
    const next = ask(to('job_2'));
    await clock.advance(seconds(60));
    expect(next.leftAfter).toBe(seconds(5));
  });
});
