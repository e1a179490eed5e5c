import type { Storage } from '@partner-hiring/core/ports';
import {
  createPostgresStorage,
  type PostgresStorageOptions,
  type PostgresTransaction,
} from '@partner-hiring/postgres';
import { afterAll, afterEach } from 'vitest';
import { seed } from '../../../conformance/src/storage/samples.js';
import { startDatabaseProxy, type TcpProxy } from '../network/tcp-proxy.js';
import { createTestSchema, type TestSchema } from './database.js';

/** So short that a test sees each of them pass. */
export const TIMEOUTS = { connectMs: 600, statementMs: 400, lockMs: 300, idleMs: 500 };

/** Far above every time-out, far below what a test may take. */
export const SOON_MS = 5_000;

/** A storage with the samples in it, whose network a test can break. */
export interface StorageBehindProxy {
  readonly database: TestSchema;
  /** Forwards again after each test. */
  readonly proxy: TcpProxy & { readonly connectionString: string };
  readonly storage: Storage<PostgresTransaction>;
  /** Opens another one on the same schema, behind the same proxy unless told otherwise. */
  open(options: Partial<PostgresStorageOptions>): Promise<Storage<PostgresTransaction>>;
}

/** Opens one for all tests of a file, and closes it behind them. */
export async function openBehindProxy(): Promise<StorageBehindProxy> {
  const database = createTestSchema();
  const { connectionString, schema } = database;
  const proxy = await startDatabaseProxy(connectionString);
  const open = (options: Partial<PostgresStorageOptions>) => {
    const usual = { connectionString: proxy.connectionString, schema, timeouts: TIMEOUTS };
    return createPostgresStorage({ ...usual, ...options } as PostgresStorageOptions);
  };
  const storage = await open({});
  await seed(storage.direct);
  afterEach(() => proxy.forward());
  afterAll(async () => {
    await storage.close();
    await proxy.close();
    await database.drop();
  });
  return { database, proxy, storage, open };
}
