/** A key's guard: it counts what no other bucket does, and an exhausted one answers before the body. */
import { randomUUID } from 'node:crypto';
import type { Storage } from '@partner-hiring/core';
import type { Repositories } from '@partner-hiring/core/ports';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import type { Fixture } from '@partner-hiring/test-support/fixture';
import {
  BASE_PATH,
  createPartner,
  outcomeOf,
  type Partner,
  rateOf,
  submission,
  times,
} from '@partner-hiring/test-support/partner';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { beginStory } from '@partner-hiring/test-support/story';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';

let fixture: Fixture;
let partner: Partner;
let jobId: `job_${string}`;
async function begin(...options: Parameters<typeof beginStory>): Promise<void> {
  ({ fixture, partner, jobId } = await beginStory(...options));
}
afterEach(() => fixture.close());

/** A storage that notes what it is asked outside transactions. */
function noting<HostTx>(storage: Storage<HostTx>, asked: string[]): Storage<HostTx> {
  const noted = <Repository extends object>(of: string, repository: Repository): Repository =>
    new Proxy(repository, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        return (...parameters: unknown[]) => {
          asked.push(`${of}.${String(name)}`);
          return Reflect.apply(method, target, parameters);
        };
      },
    });
  const direct = Object.fromEntries(
    Object.entries(storage.direct).map(([name, repository]) => [name, noted(name, repository)]),
  );
  return { ...storage, direct: direct as unknown as Repositories };
}

/** Posts for the partner with a body that never arrives. */
async function postStalled(): Promise<number> {
  const body = new ReadableStream<Uint8Array>({});
  const headers = {
    authorization: `Bearer ${partner.secret}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  const init = { method: 'POST', headers, body, duplex: 'half' as const };
  const { status } = await fixture.partnerHiring.fetch(
    new Request(`http://api.test${BASE_PATH}/applications`, init),
  );
  return status;
}

describe('the guard counts', () => {
  it('each replay, which shows where the guard stands', async () => {
    await begin({ limits: { guard: 20 } });
    const [key, body] = [randomUUID(), JSON.stringify(submission(jobId))];
    expect((await partner.submit(body, key)).status).toBe(201);
    const replays = await times(20, () => partner.submit(body, key));
    expect(replays.map((reply) => [reply.status, ...rateOf(reply).slice(0, 2)])).toEqual(
      replays.map((_, index) => [201, 20, 19 - index]),
    );
    const refused = await partner.submit(body, key);
    expect(outcomeOf(refused)).toEqual([429, 'RATE_LIMITED']);
    expect(refused.json.scope).toBe('partner');
    await fixture.clock.advance(60_000);
    expect((await partner.submit(body, key)).headers.get('idempotent-replayed')).toBe('true');
  });

  it('replays that arrive together exactly', async () => {
    await begin({ limits: { guard: 20 } });
    const [key, body] = [randomUUID(), JSON.stringify(submission(jobId))];
    await partner.submit(body, key);
    const replies = await Promise.all(Array.from({ length: 60 }, () => partner.submit(body, key)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(40);
  });

  it('each refusal by the submission limit after the first one in a minute', async () => {
    await begin({ limits: { submit_application: 1, guard: 3 } });
    const replies = await times(5, () => partner.submit(submission(jobId)));
    expect(replies.map(({ status }) => status)).toEqual([201, 429, 429, 429, 429]);
    expect(replies.map(({ json }) => json.scope)).toEqual([undefined, ...Array(4).fill('partner_company')]);
    const refused = await partner.submit(submission(jobId));
    expect([refused.status, refused.json.scope]).toEqual([429, 'partner']);
  });

  it('each refusal by the limit of a list after the first one in a minute', async () => {
    await begin({ limits: { list_jobs: 1, guard: 3 } });
    const replies = await times(5, () => partner.get('/jobs'));
    expect(replies.map(({ status }) => status)).toEqual([200, 429, 429, 429, 429]);
    expect((await partner.submit(submission(jobId))).status).toBe(429);
    expect((await partner.get('/applications')).status).toBe(200);
  });
});

describe('an exhausted guard', () => {
  it('answers a submission before its body is read', async () => {
    await begin({ limits: { guard: 3 } });
    await times(3, () => partner.get('/nothing'));
    expect(await postStalled()).toBe(429);
    await fixture.clock.advance(60_000);
    expect((await partner.submit(submission(jobId))).status).toBe(201);
  });

  it('is not asked about again until its window ends, and comes after authentication', async () => {
    const asked: string[] = [];
    const [database, clock] = [await createTestDatabase(), createFakeClock()];
    onTestFinished(() => database.remove());
    await begin({ limits: { guard: 2 }, storage: noting(await database.open(clock), asked) }, {}, clock);
    await times(3, () => partner.get('/nothing'));
    asked.length = 0;
    expect((await partner.submit(submission(jobId))).status).toBe(429);
    expect(asked).toContain('keys.findByHashes');
    expect(asked.filter((call) => call.startsWith('rateWindows'))).toEqual([]);
    await fixture.operator.keys.revoke({ id: partner.keyId, all: true });
    expect((await partner.submit(submission(jobId))).status).toBe(401);
  });

  it('refuses what no other bucket counts and submissions, but no list', async () => {
    await begin({ limits: { guard: 3 } });
    const replies = await times(4, () => partner.get('/nothing'));
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 429]);
    expect(outcomeOf(await partner.submit(submission(jobId)))).toEqual([429, 'RATE_LIMITED']);
    expect((await partner.get('/jobs')).status).toBe(200);
  });

  it('leaves the other keys alone', async () => {
    await begin({ limits: { guard: 2 } });
    await times(3, () => partner.get('/nothing'));
    const other = await createPartner(fixture, { endpoint: false });
    expect((await other.get('/nothing')).status).toBe(404);
  });
});

it('a key with too many requests under way gets 429 for one more, and room again when one ends', async () => {
  await begin({ maxInFlightPerKey: 2 });
  const stop = new AbortController();
  const waiting = [1, 2].map(() =>
    fixture.partnerHiring.fetch(
      new Request(`http://api.test${BASE_PATH}/applications`, {
        method: 'POST',
        headers: { authorization: `Bearer ${partner.secret}` },
        body: new ReadableStream({}),
        duplex: 'half',
        signal: stop.signal,
      }),
    ),
  );
  await expect.poll(async () => (await partner.get('/jobs')).status).toBe(429);
  const refused = await partner.get('/jobs');
  expect([refused.json.scope, refused.headers.get('retry-after')]).toEqual(['partner', '1']);
  expect((await (await createPartner(fixture, { endpoint: false })).get('/jobs')).status).toBe(200);
  stop.abort();
  await Promise.all(waiting);
  expect((await partner.get('/jobs')).status).toBe(200);
});
