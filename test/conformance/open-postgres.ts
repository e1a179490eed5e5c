import type { StorageUnderTest } from '@partner-hiring/conformance';
import { createPostgresStorage, type PostgresTransaction } from '@partner-hiring/postgres';
import { Client } from 'pg';
import { STORY_START } from '../support/clock.js';
import { leaveSchema, takeSchema } from '../support/postgres-schemas.js';

/** A storage in a PostgreSQL schema of its own. */
export async function openPostgres(): Promise<StorageUnderTest<PostgresTransaction>> {
  const database = takeSchema();
  const { connectionString, schema } = database;
  // Stands still, so that no window ends in the midst of a test.
  const another = () =>
    createPostgresStorage({ connectionString, schema, clock: { now: () => STORY_START } });
  const storage = await another();
  return {
    storage,
    another,
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
      await leaveSchema(database);
    },
  };
}
