/** A newer release migrates the tables while this one still runs. */
import { StorageUnavailable } from '@partner-hiring/core';
import type { Repositories, Storage } from '@partner-hiring/core/ports';
import { createTestSchema, type TestSchema } from '@partner-hiring/test-support/postgres/database';
import { Client, Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JOB_ID, KEY_ID, sampleSecret, seed, T0 } from '../../../test/conformance/suite/storage/samples.js';
import { createPostgresStorage } from './create-postgres-storage.js';
import type { PostgresTransaction } from './host-transaction.js';

let database: TestSchema;
let pool: Pool;
let clients: Client[];
let storage: Storage<PostgresTransaction>;
beforeEach(() => {
  database = createTestSchema();
  clients = [];
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await storage.close();
  await pool.end();
  await database.drop();
});

async function open(pipeline: boolean): Promise<void> {
  pool = new Pool({ connectionString: database.connectionString, max: 3, pipeline });
  // Fixed, because rows contain the time they were read.
  storage = await createPostgresStorage({ pool, schema: database.schema, clock: { now: () => T0 } });
  await seed(storage.direct);
  await storage.direct.keys.addSecret(sampleSecret('hash'));
}

async function addColumn(name: string): Promise<void> {
  const tables = ['ph_job', 'ph_key_secret', 'ph_access', 'ph_company'];
  const commands = tables.map((table) => `alter table ${database.schema}.${table} add column ${name} text`);
  await database.run(commands.join('; '));
}

async function lookUp({ access, keys, jobs, companies }: Repositories): Promise<unknown> {
  return Promise.all([
    keys.findByHashes(['hash']),
    jobs.findForSubmissions([{ keyId: KEY_ID, secretHash: 'a'.repeat(64), jobId: JOB_ID }]),
    companies.list(),
    access.find(KEY_ID, 'co_diner'),
  ]);
}

/** Runs on all connections, in and outside transactions. */
function lookUpOnAll(): Promise<unknown> {
  const looks = [1, 2, 3].flatMap(() => [lookUp(storage.direct), storage.transaction(lookUp)]);
  return Promise.all(looks);
}

describe.each([true, false])('with pipeline: %s', (pipeline) => {
  it('keeps working after columns are added', async () => {
    await open(pipeline);
    const before = await lookUpOnAll();
    expect(await lookUpOnAll()).toEqual(before);
    for (const column of ['newer', 'newest']) {
      await addColumn(column);
      expect(await lookUpOnAll()).toEqual(before);
    }
  });

  it("fails a host's transaction at most once on each connection", async () => {
    await open(pipeline);
    const client = new Client({ connectionString: database.connectionString, pipeline });
    await client.connect();
    clients.push(client);
    const inTransaction = async () => {
      await client.query('begin');
      try {
        const tx = storage.within(client);
        const found = await lookUp(tx);
        await tx.feed.take([{ keyId: KEY_ID, count: 1 }], T0);
        return found;
      } finally {
        await client.query('rollback');
      }
    };
    const before = await inTransaction();
    await addColumn('newer');
    await expect(inTransaction()).rejects.toBeInstanceOf(StorageUnavailable);
    expect(await inTransaction()).toEqual(before);
  });
});
