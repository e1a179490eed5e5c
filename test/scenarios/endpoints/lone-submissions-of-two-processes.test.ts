/** Submissions one at a time, to each of two processes. */
import { randomUUID } from 'node:crypto';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import {
  createEmployer,
  createPartner,
  type RequestParts,
  send,
  submission,
} from '@partner-hiring/test-support/partner';
import { ids } from '@partner-hiring/test-support/replies';
import { createTestDatabase, type TestDatabase } from '@partner-hiring/test-support/storages';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let database: TestDatabase;
let worlds: readonly [Fixture, Fixture];
beforeEach(async () => {
  database = await createTestDatabase();
  const limits = { submit_application: 1_000, list_applications: 10_000 };
  const clock = createFakeClock();
  const open = async () => createFixture({ storage: await database.open(clock), limits }, {}, clock);
  worlds = [await open(), await open()];
});
afterEach(async () => {
  await Promise.all(worlds.map((each) => each.close()));
  await database.remove();
});

describe('two processes, each with submissions one at a time', () => {
  it('accept nothing for a closed job, and a client that follows the list misses nothing', async () => {
    const partner = await createPartner(worlds[0], { endpoint: false });
    const { jobId } = await createEmployer(worlds[0], partner);
    /** Which closing holds: from when it was acknowledged until the job begins to open again. */
    let closing: number | null = null;
    let writing = true;
    const accepted: unknown[] = [];

    async function submitOneByOne(at: Fixture): Promise<void> {
      for (let turn = 0; turn < 40; turn += 1) {
        const before = closing;
        const reply = await submitTo(at);
        expect([201, 409]).toContain(reply.status);
        if (before !== null && before === closing) expect(reply.status).toBe(409);
        if (reply.status === 201) accepted.push(reply.json.id);
      }
    }
    async function closeAndReopen(): Promise<void> {
      for (let turn = 0; turn < 4; turn += 1) {
        await pause(30);
        await worlds[turn % 2]?.operator.jobs.close({ id: jobId });
        closing = turn;
        await pause(10);
        closing = null;
        await worlds[0].operator.jobs.reopen({ id: jobId });
      }
    }
    async function follow(): Promise<readonly unknown[]> {
      const followed: unknown[] = [];
      let through: string | null = null;
      for (let isLast = false; !isLast; ) {
        isLast = !writing;
        const since: string = through === null ? '' : `&updated_since=${encodeURIComponent(through)}`;
        const page = await sendAs(worlds[1], 'GET', `/applications?limit=200${since}`);
        followed.push(...ids(page));
        through = page.headers.get('x-updated-through');
        await pause(2);
      }
      return followed;
    }
    const submitTo = (at: Fixture) =>
      sendAs(at, 'POST', '/applications', {
        body: JSON.stringify(submission(jobId)),
        headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      });
    const sendAs = (at: Fixture, method: string, path: string, parts: RequestParts = {}) =>
      send(at, method, path, {
        ...parts,
        headers: { authorization: `Bearer ${partner.secret}`, ...parts.headers },
      });

    const [followed] = await Promise.all([
      follow(),
      Promise.all([...worlds.map(submitOneByOne), closeAndReopen()]).finally(() => {
        writing = false;
      }),
    ]);
    expect([...followed].sort()).toEqual([...accepted].sort());
    expect(accepted.length).toBeGreaterThan(0);
  });
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
