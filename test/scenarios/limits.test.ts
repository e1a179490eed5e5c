/** Spec: Limits. A test for each row and rule. */

import type { Fixture } from '@partner-hiring/test-support/fixture';
import {
  createPartner,
  type Partner,
  type Reply,
  send,
  submission,
} from '@partner-hiring/test-support/partner';
import { outcomeOf, rateOf } from '@partner-hiring/test-support/replies';
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

describe('Limits', () => {
  const reads = [
    ['GET /applications/{id}', 120, '/applications/ej_app_none', 404],
    ['GET /applications', 60, '/applications', 200],
    ['GET /jobs', 60, '/jobs', 200],
  ] as const;
  it.each(reads)('%s: %i per minute, per partner key', async (_, limit, path, status) => {
    const replies = await times(limit, () => partner.get(path));
    expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => status));
    expect(replies.map((reply) => rateOf(reply)[1])).toEqual(
      replies.map((_reply, index) => limit - 1 - index),
    );
    expect((await partner.get(path)).status).toBe(429);
    expect((await (await createPartner(fixture)).get(path)).status).toBe(status);
    await fixture.clock.advance(60_000);
    expect((await partner.get(path)).status).toBe(status);
  });

  it('POST /applications: 10 per minute, per (partner key, company)', async () => {
    const replies = await times(11, () => partner.submit(submission(jobId)));
    expect(replies.map(({ status }) => status)).toEqual([...Array(10).fill(201), 429]);
    const other = await createPartner(fixture);
    await fixture.operator.access.grant({ keyId: other.keyId, companyId });
    expect((await other.submit(submission(jobId))).status).toBe(201);
    await fixture.clock.advance(60_000);
    expect((await partner.submit(submission(jobId))).status).toBe(201);
  });

  it('200 parallel submissions to a limit of 10: exactly 10', async () => {
    const replies = await Promise.all(Array.from({ length: 200 }, () => partner.submit(submission(jobId))));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(190);
  });

  it('rule 1: every response carries limit, remaining and reset', async () => {
    const replies = [
      await partner.get('/jobs'),
      await send(fixture, 'GET', '/jobs'),
      await partner.get('/nothing'),
      await partner.request('PUT', '/jobs'),
      await partner.submit('{'),
      await partner.submit(submission(jobId)),
      await partner.submit(submission('job_none')),
      await partner.get('/jobs?limit=0'),
      await partner.request('HEAD', '/jobs'),
      await partner.request('POST', '/applications'),
      await partner.submit('x'.repeat(300_000)),
      await partner.submit(submission(jobId), 'no uuid'),
      await partner.get('/applications/ej_app_none'),
      await partner.get('/applications'),
    ];
    const reset = fixture.clock.now() / 1000 + 60;
    expect(replies.map((reply) => [rateOf(reply)[0], rateOf(reply)[2]])).toEqual(
      [60, 120, 300, 300, 300, 10, 300, 60, 60, 300, 300, 300, 120, 60].map((limit) => [limit, reset]),
    );
    for (const { headers } of replies) expect(headers.get('x-request-id')).toBeTruthy();
  });

  it('rule 2: bootstrap mode multiplies the submission limit by 5 for 24 hours', async () => {
    await fixture.operator.access.enableBootstrap({ keyId: partner.keyId, companyId });
    const replies = await times(51, () => partner.submit(submission(jobId)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(rateOf(replies[0] as Reply)[0]).toBe(50);
    await fixture.clock.advance(24 * 3_600_000);
    expect(rateOf(await partner.submit(submission(jobId)))[0]).toBe(10);
  });

  it('a replay does not consume the limit, and shows where the guard stands', async () => {
    const key = '11111111-1111-4111-8111-111111111111';
    const body = JSON.stringify(submission(jobId));
    await partner.submit(body, key);
    const replays = await times(20, () => partner.submit(body, key));
    expect(replays.map((reply) => [reply.status, ...rateOf(reply).slice(0, 2)])).toEqual(
      replays.map((_, index) => [201, 300, 299 - index]),
    );
    await times(9, () => partner.submit(submission(jobId)));
    expect((await partner.submit(submission(jobId))).status).toBe(429);
    expect((await partner.submit(body, key)).status).toBe(201);
  });

  it('what is refused before its bucket counts it is held to 300 a minute per key', async () => {
    const replies = await times(300, () => partner.get('/nothing'));
    expect(replies.every(({ status }) => status === 404)).toBe(true);
    expect((await partner.get('/nothing')).status).toBe(429);
    expect(outcomeOf(await partner.submit(submission(jobId)))).toEqual([429, 'RATE_LIMITED']);
    expect((await partner.get('/jobs')).status).toBe(200);
  });
});
