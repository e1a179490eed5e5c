import { randomBytes } from 'node:crypto';
import { OperatorError } from '@partner-hiring/core';
import { createPostgresStorage, type PostgresConnection } from '@partner-hiring/postgres';
import pg from 'pg';
import type { TemporaryDatabase } from '../create-test-instance.js';
import { whileBusy } from '../virtual-clock.js';

type PostgresPool = Extract<PostgresConnection, { readonly pool: unknown }>['pool'];

type PostgresStorage = Awaited<ReturnType<typeof createPostgresStorage>>;

type PostgresTx = Parameters<Parameters<PostgresStorage['hostTransactions']['run']>[0]>[0];

/** A test database: a connection string, or your pool, which you end. */
export type TemporaryPostgresOptions =
  | { readonly connectionString: string; readonly pool?: undefined }
  | { readonly pool: PostgresPool; readonly connectionString?: undefined };

/** A temporary schema in a PostgreSQL database. */
export interface TemporaryPostgres
  extends TemporaryDatabase<Parameters<PostgresStorage['within']>[0], PostgresTx> {
  /** The name of the schema. */
  readonly schema: string;
  /** The pool of the storage. Use it for your own tables and transactions. */
  readonly pool: PostgresPool;
}

/**
 * Names a new schema in a PostgreSQL database. The instance creates the schema when it opens, and drops the schema when it
 * closes. The role needs the right to create schemas. Never pass a production database.
 * @throws OperatorError `MISCONFIGURED` unless there is a `connectionString` or a `pool`.
 * @example
 * const database = temporaryPostgres({ connectionString: 'postgres://postgres@localhost:5432/test' });
 * const instance = await createTestInstance({ database });
 */
export function temporaryPostgres(options: TemporaryPostgresOptions): TemporaryPostgres {
  checkOptions(options);
  const pool = options.pool ?? createPool(options.connectionString);
  const schema = `partner_hiring_test_${randomBytes(6).toString('hex')}`;
  let stopWatching = () => {};
  return {
    schema,
    pool,
    open: async (clock) => {
      const storage = await createPostgresStorage({ pool, schema, clock });
      stopWatching = whileBusy(() => pool.totalCount > pool.idleCount || pool.waitingCount > 0);
      return storage;
    },
    remove: async () => {
      stopWatching();
      try {
        await pool.query(`drop schema if exists ${schema} cascade`);
      } finally {
        if (options.pool === undefined) await pool.end();
      }
    },
  };
}

function createPool(connectionString: string | undefined): PostgresPool {
  const pool = new pg.Pool({ connectionString, pipeline: true });
  // Without a listener, a lost idle connection would end the test's process.
  pool.on('error', () => {});
  return pool;
}

function checkOptions(options: object | undefined): void {
  const names = Object.entries(options ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (names.length === 1 && (names[0] === 'pool' || names[0] === 'connectionString')) return;
  throw new OperatorError(
    'MISCONFIGURED',
    'temporaryPostgres needs either a `connectionString` or a `pool`, and has no other options.',
  );
}
