import {
  clientOf,
  FOUND,
  instantClock,
  reply,
  SUBMISSION,
} from '@partner-hiring/test-support/client/scripted-client';
import { describe, expect, test } from 'vitest';

describe('a 429', () => {
  test('is no attempt, and is waited out for as long as it asks, no longer', async () => {
    const clock = instantClock();
    const startedAt = clock.now();
    const answers = Array.from({ length: 3 }, () => reply(429, '', { 'retry-after': '5' }));
    const client = clientOf(async () => answers.shift() ?? FOUND, {
      clock,
      maxAttempts: 1,
    });
    expect(await client.applications.get('ej_app_1')).toMatchObject({ id: 'ej_app_1' });
    expect(clock.now() - startedAt).toBe(15_000);
  });

  test.each([
    ['0', 'partner'],
    ['0', 'partner_company'],
    ['-1', null],
    ['0.5', null],
    ['Sat, 21 Nov 2020 10:00:00 GMT', null],
    ['soon', null],
  ])('is waited out for a second at least, with Retry-After %j and scope %j', async (retryAfter, scope) => {
    const clock = instantClock();
    const startedAt = clock.now();
    let requests = 0;
    const client = clientOf(
      async () => {
        requests += 1;
        const body = { error: 'RATE_LIMITED', message: 'Slower.', scope, companyId: 'co_1' };
        return requests <= 3
          ? reply(429, body, { 'retry-after': retryAfter })
          : reply(201, { id: 'ej_app_1', jobId: 'job_1' });
      },
      { clock },
    );
    await client.applications.submit(SUBMISSION);
    expect(requests).toBe(4);
    expect(clock.now() - startedAt).toBeGreaterThanOrEqual(3_000);
  });
});
