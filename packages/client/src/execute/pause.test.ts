import {
  all,
  clientOf,
  FOUND,
  instantClock,
  reply,
} from '@partner-hiring/test-support/client/scripted-client';
import { describe, expect, test } from 'vitest';
import { PartnerApiError, PartnerConnectionError } from '../index.js';

describe('a request', () => {
  test('is tried maxAttempts times, with pauses that grow, no sooner than Retry-After, and then says why', async () => {
    const clock = instantClock();
    const startedAt = clock.now();
    const sentAfter: number[] = [];
    const reports: unknown[] = [];
    const headers = { 'retry-after': '5', 'x-request-id': 'r-1' };
    const client = clientOf(
      async () => {
        sentAfter.push(clock.now() - startedAt);
        return reply(503, { error: 'SERVICE_UNAVAILABLE', message: 'Down.' }, headers);
      },
      { clock, maxAttempts: 4, onAttempt: (report) => reports.push(report) },
    );
    await expect(client.applications.get('ej_app_1')).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 5,
    });
    expect(clock.slept).toEqual([5_250, 5_500, 6_000]);
    expect(sentAfter).toEqual([0, 5_250, 10_750, 16_750]);
    const report = { method: 'GET', path: '/applications/ej_app_1', status: 503, requestId: 'r-1' };
    expect(reports).toEqual(
      [1, 2, 3, 4].map((attempt) => ({ ...report, attempt, failure: null, durationMs: 0 })),
    );
  });

  test('pauses twice as long after each lost answer, up to 20 seconds, and tells of every one', async () => {
    const clock = instantClock();
    const reports: unknown[] = [];
    const client = clientOf(() => Promise.reject(new TypeError('fetch failed')), {
      clock,
      random: () => 1,
      maxAttempts: 8,
      onAttempt: ({ status, failure, requestId }) => reports.push([status, failure, requestId]),
    });
    await expect(client.applications.get('ej_app_1')).rejects.toBeInstanceOf(PartnerConnectionError);
    expect(clock.slept).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000]);
    expect(reports).toEqual(Array(8).fill([null, 'network', null]));
  });

  test.each([1_000, 1_500])(
    'ends before a pause that would use up its totalTimeoutMs of %i',
    async (totalTimeoutMs) => {
      const clock = instantClock();
      const client = clientOf(async () => reply(503, ''), { clock, random: () => 1, totalTimeoutMs });
      await expect(client.applications.get('ej_app_1')).rejects.toMatchObject({ code: 'HTTP_503' });
      expect(clock.slept).toEqual([500]);
    },
  );

  test('understands Retry-After as a date, by the clock of whoever answers', async () => {
    const clock = instantClock();
    const answers = [
      reply(503, '', {
        'retry-after': 'Sat, 21 Nov 2020 10:00:40 GMT',
        date: 'Sat, 21 Nov 2020 10:00:00 GMT',
      }),
      reply(200, { data: [] }),
    ];
    await all(clientOf(async () => answers.shift() ?? reply(500, ''), { clock }).jobs.list());
    expect(clock.slept).toEqual([40_250]);
  });

  test.each([503, 429])('does not wait after %i for a Retry-After beyond totalTimeoutMs', async (status) => {
    const clock = instantClock();
    const client = clientOf(async () => reply(status, '', { 'retry-after': '60' }), {
      clock,
      totalTimeoutMs: 30_000,
    });
    await expect(client.applications.get('ej_app_1')).rejects.toMatchObject({ code: `HTTP_${status}` });
    expect(clock.slept).toEqual([]);
  });

  test('waits for a Retry-After of just maxRetryAfterMs', async () => {
    const clock = instantClock();
    const answers = [reply(503, '', { 'retry-after': '60' })];
    const client = clientOf(async () => answers.shift() ?? FOUND, {
      clock,
      maxRetryAfterMs: 60_000,
    });
    expect(await client.applications.get('ej_app_1')).toMatchObject({ id: 'ej_app_1' });
    expect(clock.slept).toEqual([60_250]);
  });

  test.each([
    [503, '86400'],
    [503, 'Sun, 21 Nov 2286 10:00:00 GMT'],
    [429, '86400'],
    [429, '9'.repeat(400)],
  ])('does not wait after %i for a Retry-After beyond maxRetryAfterMs: %j', async (status, retryAfter) => {
    const clock = instantClock();
    const startedAt = clock.now();
    let isOver = false;
    const client = clientOf(async () => (isOver ? FOUND : reply(status, '', { 'retry-after': retryAfter })), {
      clock,
      totalTimeoutMs: Number.MAX_SAFE_INTEGER / 2,
      maxRetryAfterMs: 60_000,
    });
    const error: unknown = await client.applications.get('ej_app_1').catch((error: unknown) => error);
    expect(error).toBeInstanceOf(PartnerApiError);
    expect((error as PartnerApiError).retryAfterSeconds).toBeGreaterThanOrEqual(86_400);
    expect((error as PartnerApiError).retryAfterSeconds).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
    expect(clock.now()).toBe(startedAt);

    isOver = true;
    expect(await client.applications.get('ej_app_1')).toMatchObject({ id: 'ej_app_1' });
    expect(clock.now() - startedAt).toBe(status === 429 ? 60_000 : 0);
  });
});
