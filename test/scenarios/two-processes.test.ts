/** Two of everything on one database, as in two processes: the storage alone keeps them apart. */
import { randomUUID } from 'node:crypto';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import {
  createEmployer,
  createPartner,
  type Partner,
  type Reply,
  send,
  submission,
} from '@partner-hiring/test-support/partner';
import { createTestDatabase, type TestDatabase } from '@partner-hiring/test-support/storages';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let database: TestDatabase;
let worlds: readonly [Fixture, Fixture];
let partner: Partner;
let jobId: `job_${string}`;
beforeEach(async () => {
  database = await createTestDatabase();
  const clock = createFakeClock();
  const open = async () => createFixture({ storage: await database.open(clock) }, {}, clock);
  worlds = [await open(), await open()];
  partner = await createPartner(worlds[0], { endpoint: false });
  ({ jobId } = await createEmployer(worlds[0], partner));
});
afterEach(async () => {
  await Promise.all(worlds.map((fixture) => fixture.close()));
  await database.remove();
});

/** The same submission at the same moment, to one process and the other in turn. */
function submitToBoth(count: number, body: unknown, key: () => string): Promise<readonly Reply[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      send(worlds[index % 2 === 0 ? 0 : 1], 'POST', '/applications', {
        body: JSON.stringify(body),
        headers: {
          authorization: `Bearer ${partner.secret}`,
          'content-type': 'application/json',
          'idempotency-key': key(),
        },
      }),
    ),
  );
}

const statuses = (replies: readonly Reply[], status: number) =>
  replies.filter((reply) => reply.status === status);

describe('two processes on one database', () => {
  it('replay the reply that the other one committed, so that one key has one application', async () => {
    const key = randomUUID();
    const replies = await submitToBoth(40, submission(jobId), () => key);
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect((await partner.get('/applications')).json.data).toHaveLength(1);
  });

  it('replay the same bytes for a key with and without quotes (decision 12)', async () => {
    const key = randomUUID();
    let count = 0;
    const spellings = [key, `"${key}"`, `"${key.toUpperCase()}"`, key.toUpperCase()];
    const spelled = () => spellings[count++ % spellings.length] ?? key;
    const body = submission(jobId);
    const replies = [...(await submitToBoth(9, body, spelled)), ...(await submitToBoth(8, body, spelled))];
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
  });

  it('let one source id in once', async () => {
    const body = submission(jobId, { sourceApplicationId: 'ats-1' });
    const replies = await submitToBoth(10, body, randomUUID);
    expect([statuses(replies, 201).length, statuses(replies, 409).length]).toEqual([1, 9]);
  });

  it('share the limits exactly, so that 10 of 60 submissions pass', async () => {
    const replies = await submitToBoth(60, submission(jobId), randomUUID);
    expect([statuses(replies, 201).length, statuses(replies, 429).length]).toEqual([10, 50]);
  });

  it('refuse the very next request after the other one closed the job or revoked the key', async () => {
    const ask = async () =>
      (await submitToBoth(2, submission(jobId), randomUUID)).map(({ status }) => status);
    await worlds[0].operator.jobs.close({ id: jobId });
    expect(await ask()).toEqual([409, 409]);
    await worlds[1].operator.jobs.reopen({ id: jobId });
    expect(await ask()).toEqual([201, 201]);
    await worlds[1].operator.keys.revoke({ id: partner.keyId, all: true });
    expect(await ask()).toEqual([401, 401]);
  });
});
