import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import { findWriter } from '../../../postgres/src/find-writer.js';
import { readHosts } from '../../../postgres/src/hosts.js';

/** How long to look for the server that accepts writes, if the connection string names several servers. */
const FIND_MS = 10_000;

/** A schema of one test. */
export interface TestSchema {
  readonly connectionString: string;
  readonly schema: string;
  /** Runs statements as superuser. */
  run(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  drop(): Promise<void>;
}

/** The database of this run. */
export function postgresUrl(): string {
  return inject('postgresUrl');
}

/** Returns an unused schema name. Opening a storage creates the schema. */
export function createTestSchema(connectionString = postgresUrl()): TestSchema {
  const schema = `${inject('postgresRun')}_${randomBytes(4).toString('hex')}`;
  async function run(sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    const address = await findWriter(readHosts(connectionString), FIND_MS);
    const client = new Client({ connectionString: address });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql, values)).rows;
    } finally {
      await client.end();
    }
  }
  return {
    connectionString,
    schema,
    run,
    drop: async () => {
      await run(`set client_min_messages = warning; drop schema if exists ${schema} cascade`);
    },
  };
}
