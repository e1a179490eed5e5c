import { randomBytes } from 'node:crypto';
import { startPostgres } from '@partner-hiring/test-support/postgres/server';
import { Client } from 'pg';
import type { ServerSettings } from '../../examples/platform/database/embedded-postgres.js';

/** A PostgreSQL for as long as a benchmark runs. */
export interface Databases {
  readonly version: string;
  /** Makes an empty database, and answers its address. */
  create(): Promise<string>;
  /** Drops what was made, and stops the server if it is ours. */
  close(): Promise<void>;
}

/**
 * Starts a PostgreSQL, or takes the one that `TEST_DATABASE_URL` names.
 *
 * @param settings - of one that is started.
 */
export async function openDatabases(settings: ServerSettings = {}): Promise<Databases> {
  const server = await startPostgres(settings);
  const made: string[] = [];

  async function run<Row extends object>(sql: string): Promise<readonly Row[]> {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query<Row>(sql);
    await client.end();
    return rows;
  }

  const [row] = await run<{ server_version: string }>('show server_version');
  return {
    version: row?.server_version ?? 'of an unknown version',
    create: async () => {
      const name = `bench_${randomBytes(6).toString('hex')}`;
      await run(`create database ${name}`);
      made.push(name);
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      return url.href;
    },
    close: async () => {
      for (const name of made) await run(`drop database ${name} with (force)`);
      await server.stop();
    },
  };
}
