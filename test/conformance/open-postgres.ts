import type { StorageUnderTest } from '@partner-hiring/conformance';
import { createPostgresStorage, type PostgresTransaction } from '@partner-hiring/postgres';
import { Client } from 'pg';
import { STORY_START } from '../support/clock.js';
import { leaveSchema, takeSchema } from '../support/postgres/schemas.js';

/** How the server is reached, if not in the plain way. */
export interface Reached {
  readonly connectionString?: string;
  readonly preparedStatements?: boolean;
}

/** A storage in a PostgreSQL schema of its own. */
export async function openPostgres(reached: Reached = {}): Promise<StorageUnderTest<PostgresTransaction>> {
  const database = takeSchema();
  const { schema } = database;
  const options = { connectionString: database.connectionString, ...reached, schema };
  let now = STORY_START;
  // Stands still unless it is moved, so that no window ends in the midst of a test.
  const another = () => createPostgresStorage({ ...options, clock: { now: () => now } });
  const storage = await another();
  return {
    storage,
    another,
    inHostTransaction: async (end, work) => {
      const host = new Client({ connectionString: options.connectionString });
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
    advance: (ms) => {
      now += ms;
    },
    close: async () => {
      await storage.close();
      await leaveSchema(database);
    },
  };
}
