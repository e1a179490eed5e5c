import type { KeyId } from '@partner-hiring/core/ports';
import { createKyselyStorage, type Execute } from '@partner-hiring/storage-kysely';
import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { Client } from 'pg';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { createPostgresDialect } from './dialect.js';
import { migratePostgres } from './migrate-postgres.js';
import { createSend } from './query.js';

const KEYS = 300;
const EVENTS_OF_A_KEY = 2;
const NOW = 10_000_000;

const FILL = `
  set session_replication_role = replica;
  insert into ph_feed_head select 'key_' || n, 9, 9, 9 from generate_series(1, ${KEYS}) n;
  insert into ph_endpoint (key_id, url, state, consecutive_failures, secrets, created_at, watermark)
    select 'key_' || n, 'u', 'active', 0, '[]', 0, 9 from generate_series(1, ${KEYS}) n;
  insert into ph_event select 'key_' || n, i, 'evt_' || n || '_' || i, 'job.opened', '{}'
    from generate_series(1, ${KEYS}) n, generate_series(1, ${EVENTS_OF_A_KEY}) i;
  reset session_replication_role`;

interface Recorded {
  readonly sql: string;
  readonly rows: number;
}

let recorded: Recorded[] = [];

const database = createTestSchema();
const { connectionString, schema } = database;
await migratePostgres({ connectionString, schema });
const client = new Client({ connectionString });
await client.connect();
await client.query(`set search_path = ${schema}; ${FILL}`);
const send = createSend({ prepared: false, statementMs: null });
const record: Execute = async (sql, [parameters = []]) => {
  const outcome = await send(client, sql, parameters);
  recorded.push({ sql, rows: outcome.rows.length });
  return outcome;
};
const direct = createKyselyStorage<never, unknown>(
  createPostgresDialect({ schema, announceWork: false, clock: null }),
  {
    read: (work) => work(record),
    write: (work) => work({ execute: record, executeEarly: record, executeLast: record }),
    writeWithAsyncCommit: (work) => work(record),
    adopt: () => record,
    openForHost: (work) => work(null, record),
    runAlone: (work) => work(),
    areWritesExclusive: false,
    now: () => NOW,
    close: async () => {},
  },
).direct;
beforeEach(() => {
  recorded = [];
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

it('counting backlogs reads one row for all idle endpoints', async () => {
  const backlogs = await direct.endpoints.backlogs(null, NOW, 10_000);
  const keys = Array.from({ length: KEYS }, (_, index): KeyId => `key_${index + 1}`);
  expect(backlogs.map(({ keyId }) => keyId)).toEqual(keys.toSorted());
  // No key has anything to count, and one row has all endpoints.
  expect(recorded.map(({ rows }) => rows)).toEqual([0, 1]);
});

it('the batches of a sweep reuse the first search', async () => {
  const batch = KEYS / 3;
  const removed: number[] = [];
  do removed.push(await direct.events.sweep(NOW, batch));
  while (removed.at(-1) === batch);
  expect(removed).toEqual([...Array.from({ length: 3 * EVENTS_OF_A_KEY }, () => batch), 0]);
  const probes = recorded.filter(({ sql }) => sql.includes('"ph_feed_head" as "head"'));
  expect(probes.map(({ rows }) => rows)).toEqual([KEYS, 0]);
});
