import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { freshWindow } from '../fresh-window.js';
import { BASE, type Caller, candidateFor, createCaller } from './caller.js';
import type { HttpUnderTest } from './fixture.js';
import { type Fixture, useFixture } from './fixture.js';
import { headerOf, jsonOf, type RawResponse } from './raw-connection.js';

const MAX_BODY_BYTES = 2_000;

interface ErrorCase {
  readonly status: number;
  readonly code: string;
  readonly when: string;
  provoke(caller: Caller, fixture: Fixture): Promise<RawResponse>;
}

const CASES: readonly ErrorCase[] = [
  {
    status: 401,
    code: 'UNAUTHORIZED',
    when: 'no key',
    provoke: (_, { ask }) => ask({ target: `${BASE}/jobs` }),
  },
  {
    status: 403,
    code: 'ACCESS_REVOKED',
    when: 'the company revoked the access',
    provoke: async ({ keyId, companyId, jobId, submit }, { operator }) => {
      await operator.access.revoke({ keyId, companyId });
      return submit(candidateFor(jobId));
    },
  },
  {
    status: 404,
    code: 'JOB_NOT_FOUND',
    when: 'no such job',
    provoke: ({ submit }) => submit(candidateFor('job_none')),
  },
  {
    status: 404,
    code: 'APPLICATION_NOT_FOUND',
    when: 'no such application',
    provoke: ({ get }) => get('/applications/ej_app_none'),
  },
  {
    status: 404,
    code: 'NOT_FOUND',
    when: 'no such path',
    provoke: ({ get }) => get('/candidates'),
  },
  {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    when: 'no such method',
    provoke: ({ authorization }, { ask }) =>
      ask({ method: 'DELETE', target: `${BASE}/jobs`, fields: [authorization] }),
  },
  {
    status: 409,
    code: 'JOB_CLOSED',
    when: 'the job is closed',
    provoke: async ({ jobId, submit }, { operator }) => {
      await operator.jobs.close({ id: jobId });
      return submit(candidateFor(jobId));
    },
  },
  {
    status: 409,
    code: 'DUPLICATE_SOURCE_APPLICATION_ID',
    when: 'the source id was used',
    provoke: async ({ jobId, submit }) => {
      await submit(candidateFor(jobId, { sourceApplicationId: 'one' }));
      return submit(candidateFor(jobId, { sourceApplicationId: 'one' }));
    },
  },
  {
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
    when: 'the body is too large',
    provoke: ({ submit }) => submit(' '.repeat(MAX_BODY_BYTES + 1)),
  },
  {
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
    when: 'the body is no JSON',
    provoke: ({ authorization }, { ask }) =>
      ask({
        method: 'POST',
        target: `${BASE}/applications`,
        fields: [authorization, ['Content-Type', 'text/plain']],
        body: '{}',
      }),
  },
  {
    status: 422,
    code: 'IDEMPOTENCY_KEY_REQUIRED',
    when: 'there is none',
    provoke: ({ submission, jobId }, { ask }) => ask(submission(candidateFor(jobId))),
  },
  {
    status: 422,
    code: 'IDEMPOTENCY_KEY_REUSED',
    when: 'one byte differs',
    provoke: async ({ submit, jobId }) => {
      const key = randomUUID();
      await submit(candidateFor(jobId), key);
      return submit(`${candidateFor(jobId)} `, key);
    },
  },
  {
    status: 422,
    code: 'VALIDATION_ERROR',
    when: 'a field is missing',
    provoke: ({ submit }) => submit('{}'),
  },
];

/** Contract: 9. */
export function describeErrors(underTest: HttpUnderTest): void {
  describe('every error', () => {
    const fixture = useFixture(underTest, { maxBodyBytes: MAX_BODY_BYTES });

    it.each(CASES)('is $status $code when $when', async ({ status, code, provoke }) => {
      const response = await provoke(await createCaller(fixture), fixture);
      expect([response.status, jsonOf(response).error]).toEqual([status, code]);
      expect(jsonOf(response).message).toEqual(expect.stringMatching(/\.$/));
      expect(response.body.toString()).toBe(JSON.stringify(jsonOf(response)));
      expect(headerOf(response, 'Content-Type')).toBe('application/json');
      expect(headerOf(response, 'Cache-Control')).toBe('no-store');
    });

    it('includes challenge, allowed methods and details', async () => {
      const caller = await createCaller(fixture);
      const provoke = async (code: string) => {
        const response = await CASES.find((one) => one.code === code)?.provoke(caller, fixture);
        if (response === undefined) throw new Error(`${code} has no case.`);
        return response;
      };
      expect(headerOf(await provoke('UNAUTHORIZED'), 'WWW-Authenticate')).toBe('Bearer');
      expect(headerOf(await provoke('METHOD_NOT_ALLOWED'), 'Allow')).toBe('GET, HEAD');
      expect(jsonOf(await provoke('IDEMPOTENCY_KEY_REUSED')).details).toEqual({ sameJson: true });
      const { details } = jsonOf(await provoke('VALIDATION_ERROR')) as {
        details: { errors: { field: string; code: string }[] };
      };
      expect(details.errors.map(({ field, code }) => `${field} ${code}`)).toEqual([
        'jobId required',
        'candidate required',
        'consentToContact required',
      ]);
      const duplicate = jsonOf(await provoke('DUPLICATE_SOURCE_APPLICATION_ID'));
      expect(duplicate.details).toEqual({ applicationId: expect.stringMatching(/^ej_app_/) });
    });

    it('429 RATE_LIMITED of a company names the company and the wait', async () => {
      const { submit, jobId, companyId } = await createCaller(fixture);
      await freshWindow(fixture.storage.storage);
      for (let count = 0; count < 10; count += 1) {
        expect((await submit(candidateFor(jobId))).status).toBe(201);
      }
      const response = await submit(candidateFor(jobId));
      const { message, retryAfter } = jsonOf(response);
      const scope = { scope: 'partner_company', companyId };
      expect(response.status).toBe(429);
      expect(response.body.toString()).toBe(
        JSON.stringify({ error: 'RATE_LIMITED', message, ...scope, retryAfter }),
      );
      expect(headerOf(response, 'Retry-After')).toBe(String(retryAfter));
      expect(retryAfter).toBeGreaterThanOrEqual(1);
      expect(retryAfter).toBeLessThanOrEqual(60);
    });

    it('429 RATE_LIMITED of a partner names no company', async () => {
      const { get } = await createCaller(fixture);
      await freshWindow(fixture.storage.storage);
      for (let count = 0; count < 60; count += 1) expect((await get('/jobs')).status).toBe(200);
      const response = await get('/jobs');
      expect(response.status).toBe(429);
      expect(Object.keys(jsonOf(response))).toEqual(['error', 'message', 'scope', 'retryAfter']);
      expect(jsonOf(response).scope).toBe('partner');
      expect(headerOf(response, 'X-RateLimit-Remaining')).toBe('0');
    });
  });
}
