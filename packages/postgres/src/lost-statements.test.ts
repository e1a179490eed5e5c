import { StorageUnavailable } from '@partner-hiring/core';
import type { Repositories, Storage } from '@partner-hiring/core/ports';
import type { TestSchema } from '@partner-hiring/test-support/postgres/database';
import { startPooler } from '@partner-hiring/test-support/postgres/pooler';
import { leaveSchema, takeSchema } from '@partner-hiring/test-support/postgres/schemas';
import { Client, Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { KEY_ID, sampleSecret, seed, T0 } from '../../../test/conformance/suite/storage/samples.js';
import { createPostgresStorage } from './create-postgres-storage.js';
import type { PostgresTransaction } from './host-transaction.js';
import { migratePostgres } from './migrate-postgres.js';

let database: TestSchema;
let pool: Pool;
let storage: Storage<PostgresTransaction>;
beforeEach(() => {
  database = takeSchema();
});
afterEach(async () => {
  await storage.close();
  await pool.end();
  await leaveSchema(database);
});

async function open(connectionString: string, pipeline: boolean): Promise<void> {
  pool = new Pool({ connectionString, max: 2, pipeline });
  await migratePostgres({ connectionString, schema: database.schema });
  // Fixed, because rows contain the time they were read.
  storage = await createPostgresStorage({ pool, schema: database.schema, clock: { now: () => T0 } });
  await seed(storage.direct);
  await storage.direct.keys.addSecret(sampleSecret('hash'));
}

async function lookUp({ keys, companies, feed }: Repositories): Promise<unknown> {
  const found = await Promise.all([keys.findByHashes(['hash']), companies.list()]);
  await feed.take([{ keyId: KEY_ID, count: 1 }], T0);
  return found;
}

const bothWays = async () => [await lookUp(storage.direct), await storage.transaction(lookUp)];

const FIX = /`preparedStatements: false`/;

function watchWarnings() {
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
  return () => warn.mock.calls.map(([message]) => String(message)).filter((message) => FIX.test(message));
}

describe.each([true, false])('with pipeline: %s', (pipeline) => {
  it('prepares statements again after a host’s `discard all`, and warns once with the fix', async () => {
    const warnings = watchWarnings();
    await open(database.connectionString, pipeline);
    const before = await bothWays();
    expect(warnings()).toEqual([]);
    for (let turn = 0; turn < 2; turn += 1) {
      const clients = await Promise.all([pool.connect(), pool.connect()]);
      for (const client of clients) await client.query('discard all');
      for (const client of clients) client.release();
      expect(await bothWays()).toEqual(before);
    }
    expect(warnings()).toHaveLength(1);
  });

  it('works behind a pooler that loses prepared statements, and warns with the fix', async () => {
    const warnings = watchWarnings();
    const pooler = await startPooler(database.connectionString);
    onTestFinished(() => pooler.close());
    await open(pooler.connectionString, pipeline);
    const before = await bothWays();
    for (let turn = 0; turn < 5; turn += 1) expect(await bothWays()).toEqual(before);
    expect(warnings()).toHaveLength(1);
  });

  it("reports an outage with the fix in a host's transaction, and the next one works", async () => {
    watchWarnings();
    await open(database.connectionString, pipeline);
    const host = new Client({ connectionString: database.connectionString, pipeline });
    await host.connect();
    onTestFinished(() => host.end());
    const inTransaction = async () => {
      await host.query('begin');
      try {
        return await storage.within(host).companies.list();
      } finally {
        await host.query('rollback');
      }
    };
    const before = await inTransaction();
    await host.query('discard all');
    const refusal = await inTransaction().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StorageUnavailable);
    expect(refusal).toMatchObject({ message: expect.stringMatching(FIX) });
    expect(await inTransaction()).toEqual(before);
  });
});

it('opens although another process prepared a statement with the same name', async () => {
  const warnings = watchWarnings();
  const { connectionString, schema } = database;
  await open(connectionString, true);
  const shared = new Pool({ connectionString, max: 1 });
  onTestFinished(() => shared.end());
  // Another storage has prepared the same statements on the server's connection.
  const { rows } = await preparedBy(await createPostgresStorage({ pool: shared, schema }), shared);
  const met = new Pool({ connectionString, max: 1 });
  onTestFinished(() => met.end());
  for (const { name } of rows) await met.query(`prepare "${name}" as select 1`);
  await (await createPostgresStorage({ pool: met, schema })).close();
  expect(warnings()).toHaveLength(1);
});

async function preparedBy(opened: Storage<PostgresTransaction>, on: Pool) {
  await opened.close();
  return on.query<{ name: string }>('select name from pg_prepared_statements');
}
