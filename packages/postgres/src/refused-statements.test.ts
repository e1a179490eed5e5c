/** PgBouncer 1.21 and newer keep the name of a statement that the server failed to prepare. */

import { createTestSchema, type TestSchema } from '@partner-hiring/test-support/postgres/database';
import { type Pooler, startPooler } from '@partner-hiring/test-support/postgres/pooler';
import { Client, Pool } from 'pg';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { createPostgresStorage } from './create-postgres-storage.js';
import { createSend } from './query.js';

let database: TestSchema;
let pooler: Pooler;
beforeEach(async ({ onTestFinished }) => {
  database = createTestSchema();
  pooler = await startPooler(database.connectionString, { preparedStatements: true });
  // Callbacks run in reverse order, so connections through the pooler end first.
  onTestFinished(async () => {
    await pooler.close();
    await database.drop();
  });
});

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

it.each([true, false])(
  'opens a storage on an empty database behind such a pooler, with pipeline: %s',
  async (pipeline) => {
    const { connectionString } = pooler;
    const pool = new Pool({ connectionString, max: 1, pipeline });
    onTestFinished(() => pool.end());
    const storage = await createPostgresStorage({ pool, schema: database.schema });
    expect(await storage.direct.companies.list()).toEqual([]);
    expect(await storage.transaction((tx) => tx.companies.list())).toEqual([]);
    await storage.close();
  },
);

it('runs a statement on the same connection after an aborted transaction rejected it', async () => {
  const { connectionString } = pooler;
  const storage = await createPostgresStorage({ connectionString, schema: database.schema });
  onTestFinished(() => storage.close());
  const host = await connect(connectionString);
  await host.query('begin');
  await expect(host.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
  await expect(storage.within(host).companies.list()).rejects.toMatchObject({
    message: expect.stringContaining('An earlier statement of the transaction failed'),
    cause: { code: '25P02' },
  });
  await host.query('rollback');
  await host.query('begin');
  expect(await storage.within(host).companies.list()).toEqual([]);
  await host.query('commit');
});

it('keeps the name of a prepared statement that fails', async () => {
  const client = await connect(database.connectionString);
  const send = createSend({ prepared: true, statementMs: null });
  const count = async () => {
    const { rows } = await client.query<{ n: number }>(
      'select count(*)::int as n from pg_prepared_statements',
    );
    return rows[0]?.n;
  };
  const fail = () => expect(send(client, 'select 1 / $1::int', [0])).rejects.toMatchObject({ code: '22012' });
  for (let run = 0; run < 16; run += 1) await fail();
  const before = await count();
  for (let run = 0; run < 40; run += 1) await fail();
  expect(await count()).toBe(before);
});
