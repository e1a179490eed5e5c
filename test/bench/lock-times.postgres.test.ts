import { createTestSchema, type TestSchema } from '@partner-hiring/test-support/postgres/database';
import { Pool } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LockTimes, timeLocks } from './lock-times.js';

const SLEEP = { text: 'select pg_sleep(0.1)' };
const SLEEP_MS = 100;

let database: TestSchema;
let pool: Pool;
let locks: LockTimes;
beforeEach(() => {
  database = createTestSchema();
  pool = new Pool({ connectionString: database.connectionString, max: 1 });
  locks = timeLocks(pool);
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

async function run(...texts: readonly { readonly text: string }[]): Promise<void> {
  const client = await pool.connect();
  for (const sent of texts) await client.query(sent);
  client.release();
}

test.each(['commit', 'rollback'])('a transaction is timed until its %s, and once', async (end) => {
  await run({ text: 'begin' }, { text: 'select 1' }, SLEEP, { text: end });
  const [time, ...others] = locks.take();
  expect(time).toBeGreaterThanOrEqual(SLEEP_MS);
  expect(others).toEqual([]);
  expect(locks.take()).toEqual([]);
});

test('a statement that writes alone is timed, and one that reads alone is not', async () => {
  await run(SLEEP);
  expect(locks.take()).toEqual([]);
  await run({ text: 'create temporary table written (number integer)' });
  await run({ text: 'insert into written select 1 from pg_sleep(0.1)' });
  const [time] = locks.take();
  expect(time).toBeGreaterThanOrEqual(SLEEP_MS);
});
