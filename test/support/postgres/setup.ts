import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { startPostgres } from './server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The database of this run. */
    postgresUrl: string;
    /** The prefix of this run's schema names. */
    postgresRun: string;
  }
}

/**
 * Settings that make hundreds of schemas faster. They are safe, because tests kill processes but never the
 * machine.
 */
export const HASTY = { fsync: 'off' };

/** One PostgreSQL for each run of the tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres(HASTY);
  const run = `test_${randomBytes(4).toString('hex')}`;
  project.provide('postgresUrl', server.url);
  project.provide('postgresRun', run);
  return async () => {
    await dropSchemas(server.url, run);
    await server.stop();
  };
}

/** Removes the schemas of this run from a shared database. */
export async function dropSchemas(connectionString: string, run: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const made = 'select nspname from pg_namespace where starts_with(nspname, $1)';
    const { rows } = await client.query<{ nspname: string }>(made, [run]);
    await client.query('set client_min_messages = warning');
    for (const { nspname } of rows) await client.query(`drop schema ${nspname} cascade`);
  } finally {
    await client.end();
  }
}
