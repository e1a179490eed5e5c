import type { StorageUnderTest } from '@partner-hiring/conformance';
import type { Storage } from '@partner-hiring/core';
import {
  createPostgresStorage,
  type PostgresStorageOptions,
  type PostgresTransaction,
} from '@partner-hiring/postgres';
import { STORY_START } from '@partner-hiring/test-support/clock';
import { leavePool, takePool } from '@partner-hiring/test-support/postgres/pools';
import { leaveSchema, takeSchema } from '@partner-hiring/test-support/postgres/schemas';
import pg from 'pg';

/** How the server is reached, if not in the plain way. */
export interface Reached {
  /** The URL of another database than the one of the run. */
  readonly database?: string;
  readonly connectionString?: string;
  readonly preparedStatements?: boolean;
  readonly pipeline?: boolean;
  readonly sessionSettings?: boolean;
  /** The number of cells. Default 1. */
  readonly cells?: number;
  /** The class of all connections, instead of pg's own. */
  readonly Client?: typeof pg.Client;
}

/** A storage in a PostgreSQL schema of its own. */
export async function openPostgres(reached: Reached = {}): Promise<StorageUnderTest<PostgresTransaction>> {
  const { database: url, connectionString: given, Client = pg.Client, cells = 1, ...others } = reached;
  const database = takeSchema(cells, url);
  const connectionString = given ?? database.connectionString;
  const options = { ...others, ...database.schemas };
  let now = STORY_START;
  // Stands still unless it is moved, so that no window ends in the midst of a test.
  const clock = { now: () => now };
  const another = () =>
    given === undefined
      ? openOnPool(takePool({ url: connectionString, Client }), { ...options, clock })
      : createPostgresStorage({ ...options, connectionString, clock });
  const storage = await another();
  return {
    storage,
    another,
    claimsAcrossKeys: cells === 1,
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
    advance: (ms) => {
      now += ms;
    },
    close: async () => {
      await storage.close();
      await leaveSchema(database);
    },
  };
}

/** A storage on a pool, which is left once the storage is closed. */
async function openOnPool(
  pool: pg.Pool,
  options: Omit<PostgresStorageOptions, 'pool' | 'connectionString'>,
): Promise<Storage<PostgresTransaction>> {
  const storage = await createPostgresStorage({ ...options, pool });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= storage.close().then(() => leavePool(pool));
    return closing;
  };
  return { ...storage, close };
}
