import type { Storage } from '@partner-hiring/core';
import {
  createPostgresStorage,
  type PostgresStorageOptions,
  type PostgresTransaction,
} from '@partner-hiring/postgres';
import { afterAll, afterEach } from 'vitest';
import { seed } from '../../conformance/suite/storage/samples.js';
import { startDatabaseProxy, type TcpProxy } from '../network/tcp-proxy.js';
import { createTestSchema, type TestSchema } from './database.js';

/** The timeouts of the storage, short enough for a test to wait for each. */
export const TIMEOUTS = { connectMs: 600, statementMs: 400, lockMs: 300, idleMs: 500 };

/**
 * How long a test waits for a result, in milliseconds. Longer than every timeout of the storage, and shorter than the
 * time limit of a test.
 */
export const SOON_MS = 5_000;

/** A storage that reaches its database, with sample rows, through a proxy. */
export interface StorageBehindProxy {
  readonly database: TestSchema;
  /** Repairs the network after each test. */
  readonly proxy: TcpProxy & { readonly connectionString: string };
  readonly storage: Storage<PostgresTransaction>;
  /** Opens another storage on the same schema, by default behind the same proxy. */
  open(options: Partial<PostgresStorageOptions>): Promise<Storage<PostgresTransaction>>;
}

/** Opens one for all tests of a file, and closes it afterwards. */
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
