/** A command that changes thousands of rows writes one statement per table and does not block others. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSystemRuntime } from '../../packages/core/src/defaults/system-runtime.js';
import { newCandidate, submissionOf } from './stage/candidate.js';
import { createHttpClient } from './stage/http-client.js';
import { openPlatform, type Platform, type Tenant } from './stage/platform.js';
import type { Replica } from './stage/replicas.js';
import { inWords, quantile, report, sized } from './stage/size.js';
import { noteStatements, writesByTable } from './stage/statements.js';

const JOBS = sized(5_000, 500);
const KEYS = sized(20, 5);
/** Unrelated partners that keep sending requests. */
const OTHERS = 4;
const QUIET_MS = sized(5_000, 1_000);
const ENDPOINT = 'https://ats.example.org/webhooks';
/** The host may serve requests in the same process. */
const LONGEST_BLOCK_MS = 1_500;
/** The longest wait of other partners. */
const LONGEST_WAIT_MS = 5_000;

const http = createHttpClient();
let platform: Platform;
let api: Replica;
let others: readonly Tenant[];
/** Its statements are recorded. */
let pool: Pool;
let host: Fixture;
let statements: string[];
beforeAll(async () => {
  // In one cell: with several, each job is written to all of them.
  platform = await openPlatform(undefined, 1);
  [api, others] = await Promise.all([platform.startApi(), platform.tenants(OTHERS)]);
  const { connectionString, schema } = platform.database;
  pool = new Pool({ connectionString, pipeline: true });
  statements = noteStatements(pool);
  const storage = await createPostgresStorage({ pool, schema });
  host = await createFixture({ storage, runtime: createSystemRuntime() });
});
afterAll(async () => {
  http.close();
  await host.close();
  await pool.end();
  await platform.close();
});

/** Measures the requests of others during the work. */
async function servedDuring(work: Promise<unknown>): Promise<readonly number[]> {
  const tookMs: number[] = [];
  let isOver = false;
  const ask = async ({ secret, jobId }: Tenant) => {
    for (let count = 0; !isOver; count += 1) {
      const startedAt = performance.now();
      const answer = await http.send(
        count % 2 === 0
          ? submissionOf(api.url, secret, newCandidate(jobId))
          : { method: 'GET', url: `${api.url}/jobs`, headers: { authorization: `Bearer ${secret}` } },
      );
      expect([200, 201]).toContain(answer?.status);
      tookMs.push(performance.now() - startedAt);
    }
  };
  const asking = Promise.all(others.map(ask));
  await work.finally(() => {
    isOver = true;
  });
  await asking;
  return tookMs;
}

/** Measures a command and the requests of others. */
async function attack(name: string, command: () => Promise<unknown>) {
  const quiet = await servedDuring(new Promise((resolve) => setTimeout(resolve, QUIET_MS)));
  const loop = monitorEventLoopDelay({ resolution: 10 });
  statements.length = 0;
  loop.enable();
  const startedAt = performance.now();
  let tookMs = 0;
  const during = await servedDuring(
    command().then(() => {
      tookMs = performance.now() - startedAt;
    }),
  );
  loop.disable();
  const loopMs = loop.max / 1e6;
  const writes = writesByTable(statements);
  expect(
    Object.values(writes).every((count) => count === 1),
    JSON.stringify(writes),
  ).toBe(true);
  expect(Math.max(...during)).toBeLessThan(LONGEST_WAIT_MS);
  expect(loopMs).toBeLessThan(LONGEST_BLOCK_MS);
  report(
    name,
    `${inWords(tookMs)}, ${statements.length} statements, one a table written (${Object.keys(writes).length}); ` +
      `99 % of others' requests within ${inWords(quantile(during, 0.99))}, the slowest ${inWords(Math.max(...during))} ` +
      `(quiet: ${inWords(quantile(quiet, 0.99))} and ${inWords(Math.max(...quiet))}); the host's event loop late by ${inWords(loopMs)} at most`,
  );
  return { writes };
}

it(`grants and ends ${JOBS} jobs for ${KEYS} keys with one statement per table`, async () => {
  const { operator } = host;
  const company = await operator.companies.create({ name: 'Depot', environment: 'production' });
  const keyIds = await Promise.all(Array.from({ length: KEYS }, newKey));
  const [newcomer, ...early] = keyIds;
  if (newcomer === undefined) throw new Error('The key is missing.');
  for (const keyId of early) await operator.access.grant({ keyId, companyId: company.id });
  const jobs = await operator.jobs.publish(
    Array.from({ length: JOBS }, () => ({ ...WAREHOUSE_JOB, companyId: company.id })),
  );

  const granted = await attack(`Access granted to ${JOBS} open jobs`, () =>
    operator.access.grant({ keyId: newcomer, companyId: company.id }),
  );
  expect(granted.writes).toMatchObject({ ph_access: 1, ph_key_job: 1, ph_event: 1 });
  expect(await eventsOf(newcomer)).toEqual({ 'job.opened': JOBS });

  const closed = await attack(`${JOBS} jobs closed that ${KEYS} keys see`, () =>
    operator.jobs.close(jobs.map(({ id }) => ({ id }))),
  );
  expect(closed.writes).toMatchObject({ ph_job: 1, ph_key_job: 1, ph_event: 1 });
  for (const keyId of keyIds) {
    expect(await eventsOf(keyId)).toEqual({ 'job.opened': JOBS, 'job.closed': JOBS });
  }
}, 240_000);

async function newKey(): Promise<`key_${string}`> {
  const { operator } = host;
  const partner = await operator.partners.create({ name: 'ATS' });
  const { key } = await operator.keys.issue({ partnerId: partner.id, environment: 'production' });
  await operator.endpoints.setUrl({ keyId: key.id, url: ENDPOINT });
  return key.id;
}

async function eventsOf(keyId: string): Promise<Record<string, number>> {
  const { run, schema } = platform.database;
  const rows = await run(
    `select type, count(*)::int as count from ${schema}.ph_event where key_id = $1 group by type`,
    [keyId],
  );
  return Object.fromEntries(rows.map(({ type, count }) => [String(type), Number(count)]));
}
