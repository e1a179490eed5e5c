import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import { readHosts } from '../../../packages/postgres/src/connection-string.js';
import { findWriter } from '../../../packages/postgres/src/find-writer.js';

/** How long to look for the server that accepts writes, if the connection string names several servers. */
const FIND_MS = 10_000;

/** A schema of one test, or several cells. */
export interface TestSchema {
  readonly connectionString: string;
  /** With several cells, the home cell. */
  readonly schema: string;
  /** The option of the storage. */
  readonly schemas: { readonly schema: string } | { readonly schemas: readonly string[] };
  /** Runs statements as superuser. */
  run(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  drop(): Promise<void>;
}

/** Returns how many cells the storages of this run have: the environment variable `CELLS`, by default 1. */
export function cellsOfRun(): number {
  return Number(process.env.CELLS ?? '1');
}

/** Returns all schemas, the home cell first. */
export function namesOfSchemas({ schemas }: Pick<TestSchema, 'schemas'>): readonly string[] {
  return 'schema' in schemas ? [schemas.schema] : schemas.schemas;
}

/** Returns a table of the library with the rows of all cells, to select from. */
export function tableOf(database: Pick<TestSchema, 'schemas'>, table: `ph_${string}`): string {
  const parts = namesOfSchemas(database).map((schema) => `select * from ${schema}.${table}`);
  return `(${parts.join(' union all ')}) as ${table}`;
}

/** The database of this run. */
export function postgresUrl(): string {
  return inject('postgresUrl');
}

/** Returns an unused schema name, or several. Opening a storage creates the schemas. */
export function createTestSchema(connectionString = postgresUrl(), cells = 1): TestSchema {
  const schema = `${inject('postgresRun')}_${randomBytes(4).toString('hex')}`;
  const names = Array.from({ length: cells }, (_, index) =>
    index === 0 ? schema : `${schema}_${index + 1}`,
  );
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
    schemas: cells === 1 ? { schema } : { schemas: names },
    run,
    drop: async () => {
      await run(`set client_min_messages = warning; drop schema if exists ${names.join(', ')} cascade`);
    },
  };
}
