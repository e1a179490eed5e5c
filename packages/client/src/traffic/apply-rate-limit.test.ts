import { application, clientOf, reply } from '@partner-hiring/test-support/client/scripted-client';
import {
  answer,
  endsOf,
  leftAfter,
  openTraffic,
  READ,
  refusal,
  seconds,
  to,
} from '@partner-hiring/test-support/client/traffic-stage';
import { createFakeClock, STORY_START } from '@partner-hiring/test-support/clock';
import { describe, expect, it, test } from 'vitest';
import { describesOwnBucket } from './apply-rate-limit.js';

describe('a response', () => {
  const told = (remaining: number, headers = {}) => ({
    'x-ratelimit-limit': '10',
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String((STORY_START + seconds(30)) / 1_000),
    ...headers,
  });

  test('allows the remaining requests, and more when the window ends', async () => {
    const { clock, ask } = openTraffic();
    const first = ask(to('job_1'));
    await clock.advance(0);
    first.permit?.returned(answer(201, told(1)));
    const next = [ask(to('job_1')), ask(to('job_1'))];
    await clock.advance(0);
    expect(endsOf(next)).toEqual(['left', 'waits']);
    await clock.advance(seconds(60));
    expect(leftAfter(next)).toEqual([0, seconds(30)]);
  });

  test('updates the company’s bucket when the company was learned meanwhile', async () => {
    const { clock, traffic, ask } = openTraffic();
    const first = ask(to('job_1'));
    await clock.advance(0);
    traffic.learn('job_1', 'co_1');
    first.permit?.returned(answer(201, told(1)));
    const next = [ask(to('job_1')), ask(to('job_1'))];
    await clock.advance(0);
    expect(endsOf(next)).toEqual(['left', 'waits']);
  });

  test.each([
    ['a replay', 201, { 'idempotent-replayed': 'true' }],
    ['a refusal', 422, {}],
  ])('does not change the bucket when it is %s', async (_what, status, headers) => {
    const { clock, ask } = openTraffic();
    const first = ask(to('job_1'));
    await clock.advance(0);
    first.permit?.returned(answer(status, told(0, headers)));
    const next = ask(to('job_1'));
    await clock.advance(0);
    expect(next.end).toBe('left');
  });

  test('sets no timer when no request waits, so a process can end', async () => {
    const { clock, ask, timers } = openTraffic();
    const last = ask(READ);
    await clock.advance(0);
    last.permit?.returned(answer(200, told(0)));
    await clock.advance(0);
    expect(timers.running).toBe(0);
  });
});

describe('a 429', () => {
  test('throttles each company for its own Retry-After', async () => {
    const { clock, ask } = openTraffic();
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

  test('throttles only the job when it does not name the company', async () => {
    const { clock, ask } = openTraffic();
    const first = [ask(to('job_1')), ask(to('job_2'))];
    await clock.advance(0);
    first[0]?.permit?.returned(refusal(5, { scope: 'partner_company' }));
    first[1]?.permit?.returned(refusal(20, { scope: 'partner_company' }));
    const next = [ask(to('job_1')), ask(to('job_2'))];
    await clock.advance(seconds(60));
    expect(leftAfter(next)).toEqual([seconds(5), seconds(20)]);
  });

  test('throttles until the window ends, then allows its limit', async () => {
    const { clock, ask } = openTraffic();
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

  test.each([{}, { scope: 'partner' }, { scope: 'address' }])(
    'throttles everything unless its scope is one company: %j',
    async (whose) => {
      const { clock, ask } = openTraffic();
      const first = ask(to('job_1'));
      await clock.advance(0);
      first.permit?.returned(refusal(5, whose));
      const next = [ask(to('job_2')), ask(READ)];
      await clock.advance(seconds(60));
      expect(leftAfter(next)).toEqual([seconds(5), seconds(5)]);
    },
  );

  test('throttles the key until its Retry-After, even if a window ends earlier', async () => {
    const { clock, ask } = openTraffic();
    const rate = { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '9' };
    const reset = String((STORY_START + seconds(30)) / 1_000);
    const first = [ask(READ), ask(READ)];
    await clock.advance(0);
    first[0]?.permit?.returned(answer(200, { ...rate, 'x-ratelimit-reset': reset }));
    first[1]?.permit?.returned(refusal(45, { scope: 'partner' }));
    const next = ask(READ);
    await clock.advance(seconds(200));
    expect(next.leftAfter).toBe(seconds(45));
  });

  test('throttles all jobs of the company that it names', async () => {
    const { clock, traffic, ask } = openTraffic();
    const first = ask(to('job_1'));
    await clock.advance(0);
    first.permit?.returned(refusal(5, { scope: 'partner_company', companyId: 'co_1' }));
    traffic.learn('job_2', 'co_1');
    const next = ask(to('job_2'));
    await clock.advance(seconds(60));
    expect(next.leftAfter).toBe(seconds(5));
  });
});

const SUBMISSION = { kind: 'submit_application', jobId: 'job_1' } as const;
const answerOf = (status: number, headers: Readonly<Record<string, string>> = {}) => ({
  status,
  headers: new Headers(headers),
  json: {},
});

test('only an accepted submission describes its company’s bucket', () => {
  expect(describesOwnBucket(SUBMISSION, answerOf(201))).toBe(true);
  expect(describesOwnBucket(SUBMISSION, answerOf(201, { 'idempotent-replayed': 'true' }))).toBe(false);
  for (const status of [200, 401, 409, 422]) {
    expect(describesOwnBucket(SUBMISSION, answerOf(status))).toBe(false);
  }
});

test('every response to a read describes its bucket, except for an unknown key', () => {
  for (const status of [200, 404, 422]) {
    expect(describesOwnBucket({ kind: 'list_jobs' }, answerOf(status))).toBe(true);
  }
  expect(describesOwnBucket({ kind: 'list_jobs' }, answerOf(401))).toBe(false);
});

const [LIMIT, WINDOW_MS, REQUESTS] = [5, 60_000, 23];
const APPLICATION = application('ej_app_1');
/** Several times what these requests need. */
const MAX_LOOKS = 2_000;

/** A service with a limit per minute that fails every fourth request. */
function createService(clock: { now(): number }) {
  let [window, used, failures, refused] = [0, 0, 0, 0];

  function answer() {
    const now = clock.now();
    const current = now - (now % WINDOW_MS);
    used = current === window ? used + 1 : 1;
    window = current;
    const headers = {
      'x-ratelimit-limit': String(LIMIT),
      'x-ratelimit-remaining': String(Math.max(0, LIMIT - used)),
      'x-ratelimit-reset': String((window + WINDOW_MS) / 1_000),
      'retry-after': String(Math.ceil((window + WINDOW_MS - now) / 1_000)),
    };
    if (used <= LIMIT) return failures++ % 4 === 0 ? reply(502, '') : reply(200, APPLICATION, headers);
    refused += 1;
    return reply(429, { error: 'RATE_LIMITED', message: 'Wait.', scope: 'partner' }, headers);
  }

  return { answer: async () => answer(), refused: () => refused };
}

it.each([
  ['by a millisecond', [1]],
  ['by up to 50 ms', [0, 17, 1, 50, 3, 0, 42]],
  ['by up to a second', [400, 0, 1_000, 30]],
])('keeps to a limit while each look at the clock advances it %s', async (_pace, paces) => {
  let looks = 0;
  const stepMs = () => paces[looks++ % paces.length] ?? 0;
  const clock = createFakeClock(STORY_START, { stepMs, maxLooks: MAX_LOOKS });
  const service = createService(clock);
  const client = clientOf(service.answer, { clock, maxAttempts: 50, totalTimeoutMs: 3_600_000 });
  let done = 0;
  const asked = Array.from({ length: REQUESTS }, async () => {
    await client.applications.get('ej_app_1');
    done += 1;
  });
  for (let second = 0; second < 900 && done < REQUESTS; second += 1) await clock.advance(1_000);
  await Promise.all(asked);
  expect(service.refused()).toBeLessThan(REQUESTS / 2);
});
