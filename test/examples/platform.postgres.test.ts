import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { inTransaction } from '../../examples/platform/in-transaction.js';
import { openPlatform } from '../../examples/platform/platform.js';

/** Enough for the news of it. */
const LOST_MS = 200;

test('a connection that is lost fails its transaction, and neither the process nor the next', async () => {
  const { connectionString, run } = createTestSchema();
  const own = `platform_${randomBytes(4).toString('hex')}`;
  const platform = await openPlatform(connectionString, { own, partner: `${own}_partner_api` });
  onTestFinished(async () => {
    await platform.close();
    await run(`drop schema ${own}, ${own}_partner_api cascade`);
  });
  const lose = 'select pg_terminate_backend(pg_backend_pid())';

  await expect(inTransaction(platform.pool, (client) => client.query(lose))).rejects.toThrow('terminating');
  const { kysely } = platform;
  const withKysely = kysely.transaction().execute(async (trx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    await run('select pg_terminate_backend($1)', [rows[0]?.pid]);
    // Meanwhile nothing is asked of the connection.
    await setTimeout(LOST_MS);
    await sql`select 1`.execute(trx);
  });
  await expect(withKysely).rejects.toThrow('connection');
  const { rows } = await inTransaction(platform.pool, (client) => client.query('select 1 as one'));
  expect(rows).toEqual([{ one: 1 }]);
});
