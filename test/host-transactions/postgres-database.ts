import { createPostgresStorage, type PostgresTransaction } from '@partner-hiring/postgres';
import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { Client } from 'pg';
import type { Database } from './ground.js';
import type { PostgresPlace } from './libraries/postgres-library.js';
import type { HireRow } from './library.js';

/** Creates a schema with our tables and the host's. */
export async function openPostgresDatabase(): Promise<Database<PostgresTransaction, PostgresPlace>> {
  const { connectionString, schema, drop } = createTestSchema();
  const client = new Client({ connectionString });
  await client.connect();
  const storage = await createPostgresStorage({ connectionString, schema });
  await client.query(`create table ${schema}.hire (id text primary key)`);
  return {
    place: { connectionString, schema },
    storage,
    hostRows: async () =>
      (await client.query<HireRow>(`select id from ${schema}.hire`)).rows.map(({ id }) => id),
    close: async () => {
      await client.end();
      await storage.close();
      await drop();
    },
  };
}
