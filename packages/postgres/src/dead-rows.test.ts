/** An old snapshot keeps deleted rows. No statement may read them twice. */

import { type Repositories, WINDOW_MS } from '@partner-hiring/core/ports';
import { createKyselyStorage, type Driver, type Execute } from '@partner-hiring/storage-kysely';
import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { Client } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { createPostgresDialect } from './dialect.js';
import { migratePostgres } from './migrate-postgres.js';

const ROWS = 6_000;
/** The roots of a few indexes, and the rest of the last batch. */
const MOST_PAGES = 60;
/** Twenty rows fill a page. */
const WIDE = 'x'.repeat(400);
const MOST_PAGES_OF_A_COUNT = 12;
const NOW = 10_000_000;

const FILL = `
  set session_replication_role = replica;
  insert into ph_feed_head (key_id, at, event_at) values ('key_1', ${NOW}, ${NOW});
  insert into ph_idempotency select 'key_1', md5(n::text), 'f', 'f', 'a', 'c', 201, repeat('x', 400), 0, n
    from generate_series(1, ${ROWS}) n;
  insert into ph_rate_window select n, 'bucket' || md5(n::text) || repeat('x', 400), 1 from generate_series(1, ${ROWS}) n;
  insert into ph_event select 'key_1', n, 'evt_' || n, 'job.opened', repeat('x', 400) from generate_series(1, ${ROWS}) n;
  insert into ph_delivery
    (key_id, event_id, event_at, state, attempts, cycle, due_at, last_attempt_at, last_outcome, last_latency_ms)
    select 'key_1', 'old_' || n, n, 'delivered', 2, 1, null, n, repeat('x', 400), 1
    from generate_series(1, ${ROWS}) n;
  reset session_replication_role`;

const SWEEPS: Readonly<Record<string, (all: Repositories, limit: number) => Promise<number>>> = {
  'idempotency records': ({ submissions }, limit) => submissions.sweep(NOW, limit),
  'rate windows': ({ rateWindows }, limit) => rateWindows.sweep(NOW, limit),
  deliveries: ({ deliveries }, limit) => deliveries.sweep(NOW, limit),
  events: ({ events }, limit) => events.sweep(NOW, limit),
};

let pages = 0;
let now = NOW;

const explained: Execute = async (sql, [parameters = []]) => {
  await client.query('begin');
  const { rows: plans } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    `explain (analyze, buffers, format json) ${sql}`,
    [...parameters],
  );
  await client.query('rollback');
  const plan = plans[0]?.['QUERY PLAN'][0].Plan ?? {};
  pages += (plan['Shared Hit Blocks'] ?? Infinity) + (plan['Shared Read Blocks'] ?? Infinity);
  const { rows } = await client.query(sql, [...parameters]);
  return { rows: rows.map(toNumbers) };
};

const database = createTestSchema();
const { connectionString, schema } = database;
await migratePostgres({ connectionString, schema });
const client = new Client({ connectionString });
const reader = new Client({ connectionString });
await Promise.all([client.connect(), reader.connect()]);
await client.query(`set search_path = ${schema}; ${FILL}`);
const run: Driver<never>['read'] = (work) => work(explained);
const direct = createKyselyStorage(
  createPostgresDialect({ schema, announceWork: false, clock: { now: () => now } }),
  {
    read: run,
    write: (work) => work({ execute: explained, executeEarly: explained, executeLast: explained }),
    writeWithAsyncCommit: run,
    adopt: () => explained,
    openForHost: (work) => work(null, explained),
    runAlone: (work) => work(),
    areWritesExclusive: false,
    now: () => now,
    close: async () => {},
  },
).direct;
await reader.query('begin isolation level repeatable read');
await reader.query('select 1 from pg_class limit 1');
afterAll(async () => {
  await Promise.all([client.end(), reader.end()]);
  await database.drop();
});

it.each(Object.keys(SWEEPS))(
  'deleted %s do not slow down the next sweep, even with an old snapshot',
  async (name) => {
    const sweep = (limit: number) => SWEEPS[name]?.(direct, limit);
    expect(await sweep(ROWS - 10)).toBe(ROWS - 10);
    expect(await sweep(10)).toBe(10);
    pages = 0;
    expect(await sweep(10)).toBe(0);
    expect(pages).toBeLessThan(MOST_PAGES);
  },
);

it('counts of one minute do not slow down the next, even with an old snapshot', async () => {
  const count = () => direct.rateWindows.charge([{ bucketId: WIDE, cost: 1 }]);
  for (let turn = 0; turn < 400; turn += 1) await count();
  now += WINDOW_MS;
  pages = 0;
  expect(await count()).toMatchObject([{ count: 1 }]);
  expect(pages).toBeLessThan(MOST_PAGES_OF_A_COUNT);
});

it.each([
  ['of changes with events', false],
  ['of submissions', true],
])('stamps %s do not slow down the next, even with an old snapshot', async (_, withoutEvents) => {
  const stamp = () => direct.feed.take([{ keyId: 'key_1', count: 1, withoutEvents }], now);
  for (let turn = 0; turn < 400; turn += 1) await stamp();
  pages = 0;
  await stamp();
  expect(pages).toBeLessThan(MOST_PAGES);
});

function toNumbers(row: Record<string, unknown>): Record<string, unknown> {
  const isNumber = (value: unknown) => typeof value === 'string' && /^\d+$/.test(value);
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, isNumber(value) ? Number(value) : value]),
  );
}
