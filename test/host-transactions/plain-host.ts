import { Client } from 'pg';
import type { PostgresPlace } from './libraries/postgres-library.js';

/** Writes to the host's table without a library. */
export async function openPlainHost({ connectionString, schema }: PostgresPlace) {
  const client = new Client({ connectionString });
  await client.connect();
  return {
    add: (id: string) => client.query(`insert into ${schema}.hire values ($1)`, [id]),
    remove: (id: string) => client.query(`delete from ${schema}.hire where id = $1`, [id]),
    close: () => client.end(),
  };
}
