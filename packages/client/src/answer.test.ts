import { describe, expect, test, vi } from 'vitest';
import { apiErrorOf, ignoredFieldsOf, rateHeadersOf } from './answer.js';

const DATE = 'Sat, 21 Nov 2026 10:00:00 GMT';
const DATE_SECONDS = Date.parse(DATE) / 1_000;

const answerOf = (headers: Readonly<Record<string, string>>, json: unknown = {}, status = 429) => ({
  status,
  headers: new Headers(headers),
  json,
});

describe('the ignored fields', () => {
  test.each([
    [{}, []],
    [
      { 'x-ignored-fields': 'resumeURL, sour%2Cce, candidate.first_name' },
      ['resumeURL', 'sour,ce', 'candidate.first_name'],
    ],
    [{ 'x-ignored-fields': 'jobIds%' }, ['jobIds%']],
  ] as const)('are the decoded names of the header: %j', (headers, names) => {
    expect(ignoredFieldsOf(answerOf(headers))).toEqual(names);
  });
});

describe('the rate headers', () => {
  const read = (changes: Readonly<Record<string, string>>, now = 0) =>
    rateHeadersOf(
      answerOf({
        date: DATE,
        'x-ratelimit-limit': '10',
        'x-ratelimit-remaining': '4',
        'x-ratelimit-reset': String(DATE_SECONDS + 20),
        ...changes,
      }),
      now,
    );

  test('describe the bucket on the clock of the Date header', () => {
    const bucket = { limit: 10, remaining: 4, reset: DATE_SECONDS + 20, resetsInMs: 20_000 };
    expect(read({})).toEqual(bucket);
    expect(read({ date: '' }, DATE_SECONDS * 1_000 + 5_000)).toEqual({ ...bucket, resetsInMs: 15_000 });
  });

  test('limit the end of the window to between now and a minute from now', () => {
    expect(read({ 'x-ratelimit-reset': String(DATE_SECONDS - 20) })?.resetsInMs).toBe(0);
    expect(read({ 'x-ratelimit-reset': String(DATE_SECONDS + 600) })?.resetsInMs).toBe(60_000);
  });

  test.each(['limit', 'remaining', 'reset'])('are ignored when %s is invalid', (name) => {
    for (const value of ['soon', '-1', 'Infinity', '']) {
      expect(read({ [`x-ratelimit-${name}`]: value }), value).toBeNull();
    }
  });

  test('accept 0 remaining, but ignore a limit of 0', () => {
    expect(read({ 'x-ratelimit-remaining': '0' })).toMatchObject({ limit: 10, remaining: 0 });
    expect(read({ 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '0' })).toBeNull();
  });

  test('are ignored when they are missing', () => {
    expect(rateHeadersOf(answerOf({ date: DATE }), 0)).toBeNull();
  });
});

describe('an error', () => {
  test('of the service has the scope of a 429 and its Retry-After', () => {
    const json = { error: 'RATE_LIMITED', message: 'Slower.', scope: 'partner_company', companyId: 'co_1' };
    expect(apiErrorOf(answerOf({ 'retry-after': '7' }, json))).toMatchObject({
      code: 'RATE_LIMITED',
      scope: 'partner_company',
      companyId: 'co_1',
      retryAfterSeconds: 7,
    });
    expect(
      apiErrorOf(answerOf({}, { error: 'RATE_LIMITED', scope: 1, companyId: 1, details: 'none' })),
    ).toMatchObject({
      message: expect.not.stringContaining('undefined'),
      details: {},
      scope: null,
      companyId: null,
      retryAfterSeconds: null,
    });
  });

  test('has 0 seconds for a Retry-After in the past', () => {
    const headers = { date: DATE, 'retry-after': 'Sat, 21 Nov 2026 09:59:00 GMT' };
    expect(apiErrorOf(answerOf(headers)).retryAfterSeconds).toBe(0);
  });

  test('rounds Retry-After up to whole seconds', () => {
    vi.spyOn(Date, 'now').mockReturnValue(DATE_SECONDS * 1_000 - 1_900);
    expect(apiErrorOf(answerOf({ 'retry-after': DATE })).retryAfterSeconds).toBe(2);
  });

  test('has an application id or field errors only with the matching code', () => {
    const details = {
      applicationId: 'ej_app_1',
      errors: [{ field: 'jobId', code: 'required', message: 'No.' }],
    };
    const read = (error: string) => {
      const { applicationId, fieldErrors } = apiErrorOf(
        answerOf({}, { error, message: 'No.', details }, 409),
      );
      return [applicationId, fieldErrors.length];
    };
    expect(read('DUPLICATE_SOURCE_APPLICATION_ID')).toEqual(['ej_app_1', 0]);
    expect(read('VALIDATION_ERROR')).toEqual([null, 1]);
    expect(apiErrorOf(answerOf({}, { error: 'VALIDATION_ERROR', message: 'No.' }, 422)).fieldErrors).toEqual(
      [],
    );
    expect(read('JOB_CLOSED')).toEqual([null, 0]);
    expect(read('Bad Request')).toEqual([null, 0]);
  });

  test('has no scope unless it is a 429', () => {
    const json = { error: 'Forbidden', scope: 'read', companyId: 'co_1' };
    expect(apiErrorOf(answerOf({}, json, 403))).toMatchObject({ scope: null, companyId: null });
  });
});
