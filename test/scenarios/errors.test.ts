/** Spec: Errors. A test for each row. */

import { createEmployer, createPartner, submission } from '@partner-hiring/test-support/partner';
import { outcomeOf } from '@partner-hiring/test-support/replies';
import { useStory } from '@partner-hiring/test-support/story';
import { times } from '@partner-hiring/test-support/times';
import { describe, expect, it } from 'vitest';

const story = useStory();

describe('Errors', () => {
  it('422 IDEMPOTENCY_KEY_REQUIRED', async () => {
    const headers = { 'content-type': 'application/json' };
    const reply = await story.partner.request('POST', '/applications', { headers, body: '{}' });
    expect(outcomeOf(reply)).toEqual([422, 'IDEMPOTENCY_KEY_REQUIRED']);
  });

  it('422 IDEMPOTENCY_KEY_REUSED', async () => {
    const key = '11111111-1111-4111-8111-111111111111';
    await story.partner.submit(submission(story.jobId), key);
    expect(outcomeOf(await story.partner.submit(submission(story.jobId, { source: 'x' }), key))).toEqual([
      422,
      'IDEMPOTENCY_KEY_REUSED',
    ]);
  });

  it('422 VALIDATION_ERROR', async () => {
    expect(outcomeOf(await story.partner.submit('{'))).toEqual([422, 'VALIDATION_ERROR']);
  });

  it('404 JOB_NOT_FOUND: does not exist, or the key never had access', async () => {
    const stranger = await createPartner(story.fixture);
    expect(outcomeOf(await story.partner.submit(submission('job_none')))).toEqual([404, 'JOB_NOT_FOUND']);
    expect(outcomeOf(await stranger.submit(submission(story.jobId)))).toEqual([404, 'JOB_NOT_FOUND']);
  });

  it.each([
    ['closed', () => story.fixture.operator.jobs.close({ id: story.jobId })],
    ['archived', () => story.fixture.operator.jobs.archive({ id: story.jobId })],
    ['internal-only', () => story.fixture.operator.jobs.markInternalOnly({ id: story.jobId })],
  ] as [string, () => Promise<unknown>][])('409 JOB_CLOSED: %s', async (_, change) => {
    await change();
    expect(outcomeOf(await story.partner.submit(submission(story.jobId)))).toEqual([409, 'JOB_CLOSED']);
  });

  it('403 ACCESS_REVOKED, also when the job is closed as well', async () => {
    await story.fixture.operator.access.revoke({ keyId: story.partner.keyId, companyId: story.companyId });
    expect(outcomeOf(await story.partner.submit(submission(story.jobId)))).toEqual([403, 'ACCESS_REVOKED']);
    await story.fixture.operator.jobs.close({ id: story.jobId });
    expect(outcomeOf(await story.partner.submit(submission(story.jobId)))).toEqual([403, 'ACCESS_REVOKED']);
  });

  it("409 DUPLICATE_SOURCE_APPLICATION_ID, with the id of the caller's own application", async () => {
    const body = submission(story.jobId, { sourceApplicationId: 'ats-1' });
    const first = await story.partner.submit(body);
    const second = await story.partner.submit(body);
    expect(outcomeOf(second)).toEqual([409, 'DUPLICATE_SOURCE_APPLICATION_ID']);
    expect(second.json.details).toEqual({ applicationId: first.json.id });
  });

  it('429 RATE_LIMITED, scope partner_company: companyId, retryAfter, Retry-After', async () => {
    await times(10, () => story.partner.submit(submission(story.jobId)));
    await story.fixture.clock.advance(18_500);
    const reply = await story.partner.submit(submission(story.jobId));
    expect(reply.status).toBe(429);
    expect(reply.json).toEqual({
      error: 'RATE_LIMITED',
      message: expect.any(String),
      scope: 'partner_company',
      companyId: story.companyId,
      retryAfter: 42,
    });
    expect(reply.headers.get('retry-after')).toBe('42');
  });

  it('429 RATE_LIMITED, scope partner: no companyId', async () => {
    await times(60, () => story.partner.get('/jobs'));
    const reply = await story.partner.get('/jobs');
    expect(reply.status).toBe(429);
    expect(Object.keys(reply.json).sort()).toEqual(['error', 'message', 'retryAfter', 'scope']);
    expect(reply.json.scope).toBe('partner');
  });

  it("partner_company throttles only that company's submissions", async () => {
    const other = await createEmployer(story.fixture, story.partner);
    await times(11, () => story.partner.submit(submission(story.jobId)));
    expect((await story.partner.submit(submission(other.jobId))).status).toBe(201);
    expect((await story.partner.get('/jobs')).status).toBe(200);
  });

  it('404 APPLICATION_NOT_FOUND, NOT_FOUND; 405 with Allow; 413; 415', async () => {
    expect(outcomeOf(await story.partner.get('/applications/none'))).toEqual([404, 'APPLICATION_NOT_FOUND']);
    expect(outcomeOf(await story.partner.get('/nothing'))).toEqual([404, 'NOT_FOUND']);
    expect(outcomeOf(await story.partner.get('/jobs/'))).toEqual([404, 'NOT_FOUND']);
    const wrongMethod = await story.partner.request('DELETE', '/jobs');
    expect(outcomeOf(wrongMethod)).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(wrongMethod.headers.get('allow')).toBe('GET, HEAD');
    expect(outcomeOf(await story.partner.submit('x'.repeat(300_000)))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const headers = { 'content-type': 'text/plain' };
    expect(outcomeOf(await story.partner.request('POST', '/applications', { headers, body: '{}' }))).toEqual([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ]);
  });
});
