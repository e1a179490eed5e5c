/** Contract: 4. A test for each rule. */
import { randomBytes } from 'node:crypto';
import { createPartner, outcomeOf, send, submission, times } from '@partner-hiring/test-support/partner';
import { neutralRequest } from '@partner-hiring/test-support/servers/handler';
import { useStory } from '@partner-hiring/test-support/story';
import { describe, expect, it } from 'vitest';

const story = useStory();

describe('Authentication', () => {
  it('401 for every cause, with equal bytes, before everything else', async () => {
    const unknown = (await createEnvironmentKey()).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const attempts = [
      await send(story.fixture, 'GET', '/jobs'),
      await send(story.fixture, 'GET', '/nothing-here'),
      await send(story.fixture, 'DELETE', '/jobs', { headers: { authorization: 'Bearer junk' } }),
      await send(story.fixture, 'GET', '/jobs', { headers: { authorization: `Bearer ${unknown}` } }),
      await send(story.fixture, 'GET', '/jobs', {
        headers: { authorization: `Basic ${story.partner.secret}` },
      }),
      await send(story.fixture, 'GET', '/jobs', {
        headers: { authorization: `Bearer ${story.partner.secret}, Bearer ${story.partner.secret}` },
      }),
      await send(story.fixture, 'POST', '/applications', { body: 'not even JSON' }),
    ];
    expect(attempts.map(({ status }) => status)).toEqual(attempts.map(() => 401));
    expect(new Set(attempts.map(({ text }) => text)).size).toBe(1);
    for (const { headers, json } of attempts) {
      expect(json.error).toBe('UNAUTHORIZED');
      expect(headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  async function createEnvironmentKey(): Promise<string> {
    return (await createPartner(story.fixture)).secret;
  }

  it('production keys begin with pek_live_, sandbox keys with pek_test_', async () => {
    expect(story.partner.secret).toMatch(/^pek_live_/);
    expect((await createPartner(story.fixture, { sandbox: true })).secret).toMatch(/^pek_test_/);
  });

  it('production and sandbox are separate worlds', async () => {
    const sandbox = await createPartner(story.fixture, { sandbox: true });
    await expect(
      story.fixture.operator.access.grant({ keyId: sandbox.keyId, companyId: story.companyId }),
    ).rejects.toMatchObject({
      code: 'ENVIRONMENT_MISMATCH',
    });
    expect(outcomeOf(await sandbox.submit(submission(story.jobId)))).toEqual([404, 'JOB_NOT_FOUND']);
  });

  it('after a rotation the old secret works for 24 hours, and a revocation ends the very next request', async () => {
    const { secret: second } = await story.fixture.operator.keys.rotate({ id: story.partner.keyId });
    const asSecond = () =>
      send(story.fixture, 'GET', '/jobs', { headers: { authorization: `Bearer ${second}` } });
    await story.fixture.clock.advance(24 * 3_600_000 - 1);
    expect([(await story.partner.get('/jobs')).status, (await asSecond()).status]).toEqual([200, 200]);
    await story.fixture.clock.advance(1);
    expect([(await story.partner.get('/jobs')).status, (await asSecond()).status]).toEqual([401, 200]);
    await story.fixture.operator.keys.revoke({ id: story.partner.keyId, all: true });
    expect((await asSecond()).status).toBe(401);
  });

  it('what a secret asks after its end is counted for the address, and takes nothing from the key', async () => {
    const { secret: second } = await story.fixture.operator.keys.rotate({ id: story.partner.keyId });
    await story.partner.get('/jobs');
    await story.fixture.clock.advance(24 * 3_600_000);
    expect((await story.partner.get('/jobs')).headers.get('X-RateLimit-Limit')).toBe('120');
    const { headers } = await send(story.fixture, 'GET', '/jobs', {
      headers: { authorization: `Bearer ${second}` },
    });
    expect(headers.get('X-RateLimit-Remaining')).toBe('59');
  });

  it('rotation loses nothing: applications, idempotency and endpoint hang on the identity', async () => {
    const key = '11111111-1111-4111-8111-111111111111';
    const body = JSON.stringify(submission(story.jobId));
    const first = await story.partner.submit(body, key);
    const { secret } = await story.fixture.operator.keys.rotate({ id: story.partner.keyId, overlapMs: 0 });
    const replay = await send(story.fixture, 'POST', '/applications', {
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
      const { items: keys } = await story.fixture.operator.keys.list({});
      return keys.find(({ key }) => key.id === story.partner.keyId)?.secrets[0]?.lastUsedAt;
    };
    expect(await lastUsed()).toBeNull();
    await story.partner.get('/jobs');
    const first = await lastUsed();
    expect(first).toBe(story.fixture.clock.now());
    await story.fixture.clock.advance(59_999);
    await story.partner.get('/jobs');
    expect(await lastUsed()).toBe(first);
    await story.fixture.clock.advance(1);
    await story.partner.get('/jobs');
    expect(await lastUsed()).toBe(story.fixture.clock.now());
  });

  it('too many failures from one address: 429, and a valid key is not held up', async () => {
    await times(120, () => send(story.fixture, 'GET', '/jobs'));
    expect((await send(story.fixture, 'GET', '/jobs')).status).toBe(429);
    expect((await story.partner.get('/jobs')).status).toBe(200);
  });

  const knockFrom = async (clientAddress: string): Promise<number> => {
    const { handler } = story.fixture.partnerHiring;
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
