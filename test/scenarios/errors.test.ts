/** Spec: Errors. A test for each row. */

import type { Fixture } from '@partner-hiring/test-support/fixture';
import {
  createEmployer,
  createPartner,
  type Partner,
  submission,
} from '@partner-hiring/test-support/partner';
import { outcomeOf } from '@partner-hiring/test-support/replies';
import { beginStory } from '@partner-hiring/test-support/story';
import { times } from '@partner-hiring/test-support/times';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let fixture: Fixture;
let partner: Partner;
let jobId: `job_${string}`;
let companyId: `co_${string}`;
beforeEach(async () => {
  ({ fixture, partner, jobId, companyId } = await beginStory());
});
afterEach(() => fixture.close());

describe('Errors', () => {
  it('422 IDEMPOTENCY_KEY_REQUIRED', async () => {
    const headers = { 'content-type': 'application/json' };
    const reply = await partner.request('POST', '/applications', { headers, body: '{}' });
    expect(outcomeOf(reply)).toEqual([422, 'IDEMPOTENCY_KEY_REQUIRED']);
  });

  it('422 IDEMPOTENCY_KEY_REUSED', async () => {
    const key = '11111111-1111-4111-8111-111111111111';
    await partner.submit(submission(jobId), key);
    expect(outcomeOf(await partner.submit(submission(jobId, { source: 'x' }), key))).toEqual([
      422,
      'IDEMPOTENCY_KEY_REUSED',
    ]);
  });

  it('422 VALIDATION_ERROR', async () => {
    expect(outcomeOf(await partner.submit('{'))).toEqual([422, 'VALIDATION_ERROR']);
  });

  it('404 JOB_NOT_FOUND: does not exist, or the key never had access', async () => {
    const stranger = await createPartner(fixture);
    expect(outcomeOf(await partner.submit(submission('job_none')))).toEqual([404, 'JOB_NOT_FOUND']);
    expect(outcomeOf(await stranger.submit(submission(jobId)))).toEqual([404, 'JOB_NOT_FOUND']);
  });

  it.each([
    ['closed', () => fixture.operator.jobs.close({ id: jobId })],
    ['archived', () => fixture.operator.jobs.archive({ id: jobId })],
    ['internal-only', () => fixture.operator.jobs.markInternalOnly({ id: jobId })],
  ] as [string, () => Promise<unknown>][])('409 JOB_CLOSED: %s', async (_, change) => {
    await change();
    expect(outcomeOf(await partner.submit(submission(jobId)))).toEqual([409, 'JOB_CLOSED']);
  });

  it('403 ACCESS_REVOKED, also when the job is closed as well', async () => {
    await fixture.operator.access.revoke({ keyId: partner.keyId, companyId });
    expect(outcomeOf(await partner.submit(submission(jobId)))).toEqual([403, 'ACCESS_REVOKED']);
    await fixture.operator.jobs.close({ id: jobId });
    expect(outcomeOf(await partner.submit(submission(jobId)))).toEqual([403, 'ACCESS_REVOKED']);
  });

  it("409 DUPLICATE_SOURCE_APPLICATION_ID, with the id of the caller's own application", async () => {
    const body = submission(jobId, { sourceApplicationId: 'ats-1' });
    const first = await partner.submit(body);
    const second = await partner.submit(body);
    expect(outcomeOf(second)).toEqual([409, 'DUPLICATE_SOURCE_APPLICATION_ID']);
    expect(second.json.details).toEqual({ applicationId: first.json.id });
  });

  it('429 RATE_LIMITED, scope partner_company: companyId, retryAfter, Retry-After', async () => {
    await times(10, () => partner.submit(submission(jobId)));
    await fixture.clock.advance(18_500);
    const reply = await partner.submit(submission(jobId));
    expect(reply.status).toBe(429);
    expect(reply.json).toEqual({
      error: 'RATE_LIMITED',
      message: expect.any(String),
      scope: 'partner_company',
      companyId,
      retryAfter: 42,
    });
    expect(reply.headers.get('retry-after')).toBe('42');
  });

  it('429 RATE_LIMITED, scope partner: no companyId', async () => {
    await times(60, () => partner.get('/jobs'));
    const reply = await partner.get('/jobs');
    expect(reply.status).toBe(429);
    expect(Object.keys(reply.json).sort()).toEqual(['error', 'message', 'retryAfter', 'scope']);
    expect(reply.json.scope).toBe('partner');
  });

  it("partner_company throttles only that company's submissions", async () => {
    const other = await createEmployer(fixture, partner);
    await times(11, () => partner.submit(submission(jobId)));
    expect((await partner.submit(submission(other.jobId))).status).toBe(201);
    expect((await partner.get('/jobs')).status).toBe(200);
  });

  it('404 APPLICATION_NOT_FOUND, NOT_FOUND; 405 with Allow; 413; 415', async () => {
    expect(outcomeOf(await partner.get('/applications/none'))).toEqual([404, 'APPLICATION_NOT_FOUND']);
    expect(outcomeOf(await partner.get('/nothing'))).toEqual([404, 'NOT_FOUND']);
    expect(outcomeOf(await partner.get('/jobs/'))).toEqual([404, 'NOT_FOUND']);
    const wrongMethod = await partner.request('DELETE', '/jobs');
    expect(outcomeOf(wrongMethod)).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(wrongMethod.headers.get('allow')).toBe('GET, HEAD');
    expect(outcomeOf(await partner.submit('x'.repeat(300_000)))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const headers = { 'content-type': 'text/plain' };
    expect(outcomeOf(await partner.request('POST', '/applications', { headers, body: '{}' }))).toEqual([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ]);
  });
});
