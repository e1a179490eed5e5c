import { createPostgresStorage, type PostgresTransaction } from '@partner-hiring/postgres';
import { Client } from 'pg';
import { createTestSchema } from '../support/postgres-database.js';
import { describeStorage } from './storage/describe-storage.js';
import { T0 } from './storage/samples.js';
import type { StorageUnderTest } from './storage/storage-under-test.js';

async function openPostgres(): Promise<StorageUnderTest<PostgresTransaction>> {
  const database = createTestSchema();
  const { connectionString, schema } = database;
  // Stands still, so that no window ends in the midst of a test.
  const storage = await createPostgresStorage({ connectionString, schema, clock: { now: () => T0 } });
  return {
    storage,
    inHostTransaction: async (end, work) => {
      const host = new Client({ connectionString });
      await host.connect();
      try {
        await host.query('begin');
        const result = await work(host);
        await host.query(end);
        return result;
      } finally {
        await host.end();
      }
    },
    close: async () => {
      await storage.close();
      await database.drop();
    },
  };
}

describeStorage('PostgreSQL', openPostgres);
