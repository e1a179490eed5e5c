/** Spec: Authentication, Errors, Limits. A test for each row and rule. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { neutralRequest } from '../support/handler.js';
import {
  createEmployer,
  createPartner,
  type Partner,
  type Reply,
  send,
  submission,
} from '../support/partner.js';
import { beginStory } from '../support/story.js';
import type { World } from '../support/world.js';

let world: World;
let partner: Partner;
let jobId: `job_${string}`;
let companyId: `co_${string}`;
beforeEach(async () => {
  ({ world, partner, jobId, companyId } = await beginStory());
});
afterEach(() => world.close());

const outcome = ({ status, json }: Reply) => [status, json.error];
const rate = ({ headers }: Reply) =>
  ['limit', 'remaining', 'reset'].map((part) => Number(headers.get(`x-ratelimit-${part}`) ?? Number.NaN));
const times = async <T>(count: number, act: () => Promise<T>): Promise<readonly T[]> => {
  const results: T[] = [];
  for (let index = 0; index < count; index += 1) results.push(await act());
  return results;
};

describe('Errors', () => {
  it('422 IDEMPOTENCY_KEY_REQUIRED', async () => {
    const headers = { 'content-type': 'application/json' };
    const reply = await partner.request('POST', '/applications', { headers, body: '{}' });
    expect(outcome(reply)).toEqual([422, 'IDEMPOTENCY_KEY_REQUIRED']);
  });

  it('422 IDEMPOTENCY_KEY_REUSED', async () => {
    const key = '11111111-1111-4111-8111-111111111111';
    await partner.submit(submission(jobId), key);
    expect(outcome(await partner.submit(submission(jobId, { source: 'x' }), key))).toEqual([
      422,
      'IDEMPOTENCY_KEY_REUSED',
    ]);
  });

  it('422 VALIDATION_ERROR', async () => {
    expect(outcome(await partner.submit('{'))).toEqual([422, 'VALIDATION_ERROR']);
  });

  it('404 JOB_NOT_FOUND: does not exist, or the key never had access', async () => {
    const stranger = await createPartner(world);
    expect(outcome(await partner.submit(submission('job_none')))).toEqual([404, 'JOB_NOT_FOUND']);
    expect(outcome(await stranger.submit(submission(jobId)))).toEqual([404, 'JOB_NOT_FOUND']);
  });

  it.each([
    ['closed', () => world.operator.jobs.close({ id: jobId })],
    ['archived', () => world.operator.jobs.archive({ id: jobId })],
    ['internal-only', () => world.operator.jobs.markInternalOnly({ id: jobId })],
  ] as [string, () => Promise<unknown>][])('409 JOB_CLOSED: %s', async (_, change) => {
    await change();
    expect(outcome(await partner.submit(submission(jobId)))).toEqual([409, 'JOB_CLOSED']);
  });

  it('403 ACCESS_REVOKED, also when the job is closed as well', async () => {
    await world.operator.access.revoke({ keyId: partner.keyId, companyId });
    expect(outcome(await partner.submit(submission(jobId)))).toEqual([403, 'ACCESS_REVOKED']);
    await world.operator.jobs.close({ id: jobId });
    expect(outcome(await partner.submit(submission(jobId)))).toEqual([403, 'ACCESS_REVOKED']);
  });

  it("409 DUPLICATE_SOURCE_APPLICATION_ID, with the id of the caller's own application", async () => {
    const body = submission(jobId, { sourceApplicationId: 'ats-1' });
    const first = await partner.submit(body);
    const second = await partner.submit(body);
    expect(outcome(second)).toEqual([409, 'DUPLICATE_SOURCE_APPLICATION_ID']);
    expect(second.json.details).toEqual({ applicationId: first.json.id });
  });

  it('429 RATE_LIMITED, scope partner_company: companyId, retryAfter, Retry-After', async () => {
    await times(10, () => partner.submit(submission(jobId)));
    await world.clock.advance(18_500);
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
    const other = await createEmployer(world, partner);
    await times(11, () => partner.submit(submission(jobId)));
    expect((await partner.submit(submission(other.jobId))).status).toBe(201);
    expect((await partner.get('/jobs')).status).toBe(200);
  });

  it('404 APPLICATION_NOT_FOUND, NOT_FOUND; 405 with Allow; 413; 415', async () => {
    expect(outcome(await partner.get('/applications/none'))).toEqual([404, 'APPLICATION_NOT_FOUND']);
    expect(outcome(await partner.get('/nothing'))).toEqual([404, 'NOT_FOUND']);
    expect(outcome(await partner.get('/jobs/'))).toEqual([404, 'NOT_FOUND']);
    const wrongMethod = await partner.request('DELETE', '/jobs');
    expect(outcome(wrongMethod)).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(wrongMethod.headers.get('allow')).toBe('GET, HEAD');
    expect(outcome(await partner.submit('x'.repeat(300_000)))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const headers = { 'content-type': 'text/plain' };
    expect(outcome(await partner.request('POST', '/applications', { headers, body: '{}' }))).toEqual([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ]);
  });
});

describe('Authentication', () => {
  it('401 for every cause, with equal bytes, before everything else', async () => {
    const unknown = (await createWorldKey()).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const attempts = [
      await send(world, 'GET', '/jobs'),
      await send(world, 'GET', '/nothing-here'),
      await send(world, 'DELETE', '/jobs', { headers: { authorization: 'Bearer junk' } }),
      await send(world, 'GET', '/jobs', { headers: { authorization: `Bearer ${unknown}` } }),
      await send(world, 'GET', '/jobs', { headers: { authorization: `Basic ${partner.secret}` } }),
      await send(world, 'GET', '/jobs', {
        headers: { authorization: `Bearer ${partner.secret}, Bearer ${partner.secret}` },
      }),
      await send(world, 'POST', '/applications', { body: 'not even JSON' }),
    ];
    expect(attempts.map(({ status }) => status)).toEqual(attempts.map(() => 401));
    expect(new Set(attempts.map(({ text }) => text)).size).toBe(1);
    for (const { headers, json } of attempts) {
      expect(json.error).toBe('UNAUTHORIZED');
      expect(headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  async function createWorldKey(): Promise<string> {
    return (await createPartner(world)).secret;
  }

  it('production keys begin with pek_live_, sandbox keys with pek_test_', async () => {
    expect(partner.secret).toMatch(/^pek_live_/);
    expect((await createPartner(world, { sandbox: true })).secret).toMatch(/^pek_test_/);
  });

  it('a key sees only companies that have granted it access', async () => {
    const stranger = await createPartner(world);
    expect((await stranger.get('/jobs')).json).toEqual({ data: [] });
  });

  it('production and sandbox are separate worlds', async () => {
    const sandbox = await createPartner(world, { sandbox: true });
    await expect(world.operator.access.grant({ keyId: sandbox.keyId, companyId })).rejects.toMatchObject({
      code: 'WORLD_MISMATCH',
    });
    expect(outcome(await sandbox.submit(submission(jobId)))).toEqual([404, 'JOB_NOT_FOUND']);
  });

  it('rotation: the old secret works on for 24 hours, revocation ends the very next request', async () => {
    const { secret: second } = await world.operator.keys.rotate({ keyId: partner.keyId });
    const asSecond = () => send(world, 'GET', '/jobs', { headers: { authorization: `Bearer ${second}` } });
    await world.clock.advance(24 * 3_600_000 - 1);
    expect([(await partner.get('/jobs')).status, (await asSecond()).status]).toEqual([200, 200]);
    await world.clock.advance(1);
    expect([(await partner.get('/jobs')).status, (await asSecond()).status]).toEqual([401, 200]);
    await world.operator.keys.revoke({ keyId: partner.keyId, all: true });
    expect((await asSecond()).status).toBe(401);
  });

  it('what a secret asks after its end is counted for the address, and takes nothing from the key', async () => {
    const { secret: second } = await world.operator.keys.rotate({ keyId: partner.keyId });
    await partner.get('/jobs');
    await world.clock.advance(24 * 3_600_000);
    expect((await partner.get('/jobs')).headers.get('X-RateLimit-Limit')).toBe('120');
    const { headers } = await send(world, 'GET', '/jobs', { headers: { authorization: `Bearer ${second}` } });
    expect(headers.get('X-RateLimit-Remaining')).toBe('59');
  });

  it('rotation loses nothing: applications, idempotency and endpoint hang on the identity', async () => {
    const key = '11111111-1111-4111-8111-111111111111';
    const body = JSON.stringify(submission(jobId));
    const first = await partner.submit(body, key);
    const { secret } = await world.operator.keys.rotate({ keyId: partner.keyId, overlapMs: 0 });
    const replay = await send(world, 'POST', '/applications', {
      body,
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
    });
    expect(replay.text).toBe(first.text);
  });

  it('last use is noted, at most once a minute', async () => {
    const lastUsed = async () => {
      const keys = await world.operator.keys.list({});
      return keys.find(({ key }) => key.id === partner.keyId)?.secrets[0]?.lastUsedAt;
    };
    expect(await lastUsed()).toBeNull();
    await partner.get('/jobs');
    const first = await lastUsed();
    expect(first).toBe(world.clock.now());
    await world.clock.advance(59_999);
    await partner.get('/jobs');
    expect(await lastUsed()).toBe(first);
    await world.clock.advance(1);
    await partner.get('/jobs');
    expect(await lastUsed()).toBe(world.clock.now());
  });

  it('too many failures from one address: 429, and a valid key is not held up', async () => {
    await times(120, () => send(world, 'GET', '/jobs'));
    expect((await send(world, 'GET', '/jobs')).status).toBe(429);
    expect((await partner.get('/jobs')).status).toBe(200);
  });

  const knockFrom = async (clientAddress: string): Promise<number> => {
    const { handler } = world.partnerHiring;
    const request = neutralRequest('GET', `${handler.basePath}/jobs`);
    return (await handler({ ...request, clientAddress })).status;
  };

  it('addresses of one IPv6 network count as one, for one machine has them all', async () => {
    for (let host = 1; host <= 120; host += 1) await knockFrom(`2001:db8:0:7::${host.toString(16)}`);
    expect(await knockFrom('2001:db8:0:7:ffff::1')).toBe(429);
    expect(await knockFrom('2001:db8:0:8::1')).toBe(401);
  });

  it('what a proxy passes on as an address may be of any length', async () => {
    const random = randomBytes(6_000).toString('base64');
    expect(await knockFrom(random)).toBe(401);
  });
});

describe('Limits', () => {
  const reads = [
    ['GET /applications/{id}', 120, '/applications/ej_app_none', 404],
    ['GET /applications', 60, '/applications', 200],
    ['GET /jobs', 60, '/jobs', 200],
  ] as const;
  it.each(reads)('%s: %i per minute, per partner key', async (_, limit, path, status) => {
    const replies = await times(limit, () => partner.get(path));
    expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => status));
    expect(replies.map((reply) => rate(reply)[1])).toEqual(replies.map((_reply, index) => limit - 1 - index));
    expect((await partner.get(path)).status).toBe(429);
    expect((await (await createPartner(world)).get(path)).status).toBe(status);
    await world.clock.advance(60_000);
    expect((await partner.get(path)).status).toBe(status);
  });

  it('POST /applications: 10 per minute, per (partner key, company)', async () => {
    const replies = await times(11, () => partner.submit(submission(jobId)));
    expect(replies.map(({ status }) => status)).toEqual([...Array(10).fill(201), 429]);
    const other = await createPartner(world);
    await world.operator.access.grant({ keyId: other.keyId, companyId });
    expect((await other.submit(submission(jobId))).status).toBe(201);
    await world.clock.advance(60_000);
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
      await send(world, 'GET', '/jobs'),
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
    const reset = world.clock.now() / 1000 + 60;
    expect(replies.map((reply) => [rate(reply)[0], rate(reply)[2]])).toEqual(
      [60, 120, 300, 300, 300, 10, 300, 60, 60, 300, 300, 300, 120, 60].map((limit) => [limit, reset]),
    );
    for (const { headers } of replies) expect(headers.get('x-request-id')).toBeTruthy();
  });

  it('rule 2: bootstrap mode multiplies the submission limit by 5 for 24 hours', async () => {
    await world.operator.access.enableBootstrap({ keyId: partner.keyId, companyId });
    const replies = await times(51, () => partner.submit(submission(jobId)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(rate(replies[0] as Reply)[0]).toBe(50);
    await world.clock.advance(24 * 3_600_000);
    expect(rate(await partner.submit(submission(jobId)))[0]).toBe(10);
  });

  it('a replay does not consume the limit, and shows where it stands', async () => {
    const key = '11111111-1111-4111-8111-111111111111';
    const body = JSON.stringify(submission(jobId));
    await partner.submit(body, key);
    const replays = await times(20, () => partner.submit(body, key));
    expect(replays.map((reply) => [reply.status, rate(reply)[1]])).toEqual(replays.map(() => [201, 9]));
    await times(9, () => partner.submit(submission(jobId)));
    expect((await partner.submit(submission(jobId))).status).toBe(429);
    expect((await partner.submit(body, key)).status).toBe(201);
  });

  it('what is refused before its bucket counts it is held to 300 a minute per key', async () => {
    const replies = await times(300, () => partner.get('/nothing'));
    expect(replies.every(({ status }) => status === 404)).toBe(true);
    expect((await partner.get('/nothing')).status).toBe(429);
    expect(outcome(await partner.submit(submission(jobId)))).toEqual([429, 'RATE_LIMITED']);
    expect((await partner.get('/jobs')).status).toBe(200);
  });
});
