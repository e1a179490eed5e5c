/** Contract: 8. A test for each rule. */

import {
  createPartner,
  type Reply,
  rateOf,
  send,
  submission,
  times,
} from '@partner-hiring/test-support/partner';
import { useStory } from '@partner-hiring/test-support/story';
import { describe, expect, it } from 'vitest';

const story = useStory();

describe('Limits', () => {
  const reads = [
    ['GET /applications/{id}', 120, '/applications/ej_app_none', 404],
    ['GET /applications', 60, '/applications', 200],
    ['GET /jobs', 60, '/jobs', 200],
  ] as const;
  it.each(reads)('%s takes %i requests a minute of each partner key', async (_, limit, path, status) => {
    const replies = await times(limit, () => story.partner.get(path));
    expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => status));
    expect(replies.map((reply) => rateOf(reply)[1])).toEqual(
      replies.map((_reply, index) => limit - 1 - index),
    );
    expect((await story.partner.get(path)).status).toBe(429);
    expect((await (await createPartner(story.fixture)).get(path)).status).toBe(status);
    await story.fixture.clock.advance(60_000);
    expect((await story.partner.get(path)).status).toBe(status);
  });

  it('POST /applications takes 10 a minute of each partner key and company', async () => {
    const replies = await times(11, () => story.partner.submit(submission(story.jobId)));
    expect(replies.map(({ status }) => status)).toEqual([...Array(10).fill(201), 429]);
    const other = await createPartner(story.fixture);
    await story.fixture.operator.access.grant({ keyId: other.keyId, companyId: story.companyId });
    expect((await other.submit(submission(story.jobId))).status).toBe(201);
    await story.fixture.clock.advance(60_000);
    expect((await story.partner.submit(submission(story.jobId))).status).toBe(201);
  });

  it('200 parallel submissions to a limit of 10: exactly 10', async () => {
    const replies = await Promise.all(
      Array.from({ length: 200 }, () => story.partner.submit(submission(story.jobId))),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(190);
  });

  it('every response carries limit, remaining and reset (contract 8.6)', async () => {
    const replies = [
      await story.partner.get('/jobs'),
      await send(story.fixture, 'GET', '/jobs'),
      await story.partner.get('/nothing'),
      await story.partner.request('PUT', '/jobs'),
      await story.partner.submit('{'),
      await story.partner.submit(submission(story.jobId)),
      await story.partner.submit(submission('job_none')),
      await story.partner.get('/jobs?limit=0'),
      await story.partner.request('HEAD', '/jobs'),
      await story.partner.request('POST', '/applications'),
      await story.partner.submit('x'.repeat(300_000)),
      await story.partner.submit(submission(story.jobId), 'no uuid'),
      await story.partner.get('/applications/ej_app_none'),
      await story.partner.get('/applications'),
    ];
    const reset = story.fixture.clock.now() / 1000 + 60;
    expect(replies.map((reply) => [rateOf(reply)[0], rateOf(reply)[2]])).toEqual(
      [60, 120, 300, 300, 300, 10, 300, 60, 60, 300, 300, 300, 120, 60].map((limit) => [limit, reset]),
    );
    for (const { headers } of replies) expect(headers.get('x-request-id')).toBeTruthy();
  });

  it('bootstrap mode multiplies the submission limit by 5 for 24 hours (contract 8.8)', async () => {
    await story.fixture.operator.access.raiseLimit({
      keyId: story.partner.keyId,
      companyId: story.companyId,
    });
    const replies = await times(51, () => story.partner.submit(submission(story.jobId)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(rateOf(replies[0] as Reply)[0]).toBe(50);
    await story.fixture.clock.advance(24 * 3_600_000);
    expect(rateOf(await story.partner.submit(submission(story.jobId)))[0]).toBe(10);
  });

  it('a replay does not consume the limit, and shows where the guard stands', async () => {
    const key = '11111111-1111-4111-8111-111111111111';
    const body = JSON.stringify(submission(story.jobId));
    await story.partner.submit(body, key);
    const replays = await times(20, () => story.partner.submit(body, key));
    expect(replays.map((reply) => [reply.status, ...rateOf(reply).slice(0, 2)])).toEqual(
      replays.map((_, index) => [201, 300, 299 - index]),
    );
    await times(9, () => story.partner.submit(submission(story.jobId)));
    expect((await story.partner.submit(submission(story.jobId))).status).toBe(429);
    expect((await story.partner.submit(body, key)).status).toBe(201);
  });
});
