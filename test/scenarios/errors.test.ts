/** Contract: 9. The HTTP suite provokes each error once; these are its other causes. */

import {
  createEmployer,
  createPartner,
  outcomeOf,
  submission,
  times,
} from '@partner-hiring/test-support/partner';
import { useStory } from '@partner-hiring/test-support/story';
import { describe, expect, it } from 'vitest';

const story = useStory();

describe('Errors', () => {
  it('404 JOB_NOT_FOUND says that the key never had access', async () => {
    const stranger = await createPartner(story.fixture);
    expect(outcomeOf(await stranger.submit(submission(story.jobId)))).toEqual([404, 'JOB_NOT_FOUND']);
  });

  it.each([
    ['archived', () => story.fixture.operator.jobs.archive({ id: story.jobId })],
    [
      'internal-only',
      () => story.fixture.operator.jobs.setVisibility({ id: story.jobId, visibility: 'internal_only' }),
    ],
  ] as [string, () => Promise<unknown>][])('409 JOB_CLOSED says that the job is %s', async (_, change) => {
    await change();
    expect(outcomeOf(await story.partner.submit(submission(story.jobId)))).toEqual([409, 'JOB_CLOSED']);
  });

  it('403 ACCESS_REVOKED, also when the job is closed as well', async () => {
    await story.fixture.operator.access.revoke({ keyId: story.partner.keyId, companyId: story.companyId });
    expect(outcomeOf(await story.partner.submit(submission(story.jobId)))).toEqual([403, 'ACCESS_REVOKED']);
    await story.fixture.operator.jobs.close({ id: story.jobId });
    expect(outcomeOf(await story.partner.submit(submission(story.jobId)))).toEqual([403, 'ACCESS_REVOKED']);
  });

  it('429 RATE_LIMITED of a company has companyId, retryAfter and Retry-After', async () => {
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

  it("partner_company throttles only that company's submissions", async () => {
    const other = await createEmployer(story.fixture, story.partner);
    await times(11, () => story.partner.submit(submission(story.jobId)));
    expect((await story.partner.submit(submission(other.jobId))).status).toBe(201);
    expect((await story.partner.get('/jobs')).status).toBe(200);
  });
});
