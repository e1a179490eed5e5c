/** A network between the API and PostgreSQL that drops bytes. */
import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { startDatabaseProxy } from '@partner-hiring/test-support/network/tcp-proxy';
import { createEmployer, createPartner, type Reply, submission } from '@partner-hiring/test-support/partner';
import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createSystemRuntime } from '../../packages/core/src/defaults/system-runtime.js';
import { NO_LIMITS } from './stage/platform.js';
import { inWords, median, report, sized } from './stage/size.js';

const TIMEOUTS = { connectMs: 500, statementMs: 800, lockMs: 500, idleMs: 600 };
const POOL = 10;
/** A request waits for a running batch, its key and its own statement, each perhaps with a connection. */
const LONGEST_MS = 3 * (TIMEOUTS.connectMs + TIMEOUTS.statementMs);
/** Tolerance for a busy machine. A blocked loop would be late by seconds. */
const LONGEST_BLOCK_MS = 400;
const HANG_MS = sized(10_000, 1_500);
const REQUESTS = 40;
const COMMITS = sized(20, 3);

const database = createTestSchema();
const proxy = await startDatabaseProxy(database.connectionString);
const storage = await createPostgresStorage({
  connectionString: proxy.connectionString,
  schema: database.schema,
  maxConnections: POOL,
  timeouts: TIMEOUTS,
});
const fixture = await createFixture({ storage, runtime: createSystemRuntime(), limits: NO_LIMITS });
const partner = await createPartner(fixture, { endpoint: false });
const { jobId } = await createEmployer(fixture, partner);
afterEach(() => proxy.forward());
afterAll(async () => {
  await fixture.close();
  await proxy.close();
  await database.drop();
});

const get = () => partner.get('/jobs');
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Alternates between kinds of requests. */
async function ask(number: number): Promise<{ readonly status: number; readonly tookMs: number }> {
  const startedAt = performance.now();
  const { status } = await (number % 3 === 0 ? partner.submit(submission(jobId)) : get());
  return { status, tookMs: performance.now() - startedAt };
}

const askMany = () => Promise.all(Array.from({ length: REQUESTS }, (_, number) => ask(number)));

const isGood = ({ status }: { readonly status: number }) => status === 200 || status === 201;

/** Sends requests until one succeeds; returns how long that took. */
async function askUntilGood(number: number): Promise<number> {
  const startedAt = performance.now();
  while (!isGood(await ask(number))) expect(performance.now() - startedAt).toBeLessThan(LONGEST_MS);
  return performance.now() - startedAt;
}

describe('a network that drops', () => {
  it('whole connections causes 503 in time without blocking the event loop', async () => {
    expect((await askMany()).every(isGood)).toBe(true);
    const loop = monitorEventLoopDelay({ resolution: 10 });
    proxy.swallow();
    loop.enable();
    const until = performance.now() + HANG_MS;
    const answers = [];
    do answers.push(...(await askMany()));
    while (performance.now() < until);
    loop.disable();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(Math.max(...answers.map(({ tookMs }) => tookMs))).toBeLessThan(LONGEST_MS);
    expect(loop.max / 1e6).toBeLessThan(LONGEST_BLOCK_MS);

    proxy.forward();
    const recoveredMs = await askUntilGood(1);
    // The dead connections left the pool.
    const after = await askMany();
    expect(after.every(isGood)).toBe(true);
    expect(proxy.openConnections()).toBeLessThanOrEqual(POOL);
    const took = answers.map(({ tookMs }) => tookMs);
    report(
      'A network that swallows everything',
      `for ${inWords(HANG_MS)}: ${answers.length} × 503 in ${inWords(median(took))}, at most ` +
        `${inWords(Math.max(...took))}; event loop late by ${inWords(loop.max / 1e6)} at most; well again after ${inWords(recoveredMs)}`,
    );
  });

  it('a statement causes 503 in time, without effects', async () => {
    await get();
    const before = await applications();
    // Only one statement contains the candidate.
    const body = submission(jobId, { source: 'from-nowhere' });
    proxy.swallowAt('from-nowhere', 'with_it');
    const startedAt = performance.now();
    expect((await partner.submit(body)).status).toBe(503);
    expect(performance.now() - startedAt).toBeLessThan(LONGEST_MS);
    expect(await applications()).toBe(before);
  });

  it.each(['with_it', 'the_answer'] as const)(
    'a commit (%s) causes 503, and a retry leaves one application',
    async (what) => {
      await get();
      const before = await applications();
      const tookMs: number[] = [];
      let replays = 0;
      for (let round = 0; round < COMMITS; round += 1) {
        const key = randomUUID();
        const source = `round ${round}, ${what}`;
        const body = submission(jobId, { source });
        proxy.swallowAt('commit\0', what);
        const startedAt = performance.now();
        const first = await partner.submit(body, key);
        tookMs.push(performance.now() - startedAt);
        expect(first.status).toBe(503);
        expect(first.headers.get('retry-after')).not.toBeNull();
        const second = await submitUntilAnswered(body, key);
        expect(second.status).toBe(201);
        if (second.headers.get('idempotent-replayed') === 'true') replays += 1;
        expect((await partner.submit(body, key)).text).toBe(second.text);
      }
      expect(await applications()).toBe(before + COMMITS);
      expect(replays).toBe(what === 'the_answer' ? COMMITS : 0);
      expect(Math.max(...tookMs)).toBeLessThan(LONGEST_MS);
      report(
        what === 'with_it' ? 'A commit that was dropped' : 'A commit whose answer was dropped',
        `${COMMITS} times: 503 in ${inWords(median(tookMs))}, ${replays} retries replayed, ` +
          `${COMMITS - replays} created: ${COMMITS} applications`,
      );
    },
    120_000,
  );
});

it('a network that cuts every connection causes answers or 503, not a crash', async () => {
  let isCutting = true;
  const cutting = (async () => {
    while (isCutting) {
      await pause(20);
      proxy.cut();
    }
  })();
  const answers = [...(await askMany()), ...(await askMany()), ...(await askMany())];
  isCutting = false;
  await cutting;
  for (const { status } of answers) expect([200, 201, 503]).toContain(status);
  // PostgreSQL may still hold the locks of a lost transaction.
  await askUntilGood(0);
  expect((await askMany()).every(isGood)).toBe(true);
});

/** Retries like a partner: PostgreSQL may still hold locks. */
async function submitUntilAnswered(body: unknown, key: string): Promise<Reply> {
  const until = performance.now() + 10_000;
  for (;;) {
    const reply = await partner.submit(body, key);
    if (reply.status !== 503 || performance.now() > until) return reply;
    await pause(50);
  }
}

async function applications(): Promise<number> {
  const [row] = await database.run(`select count(*)::int as count from ${database.schema}.ph_application`);
  return Number(row?.count);
}
