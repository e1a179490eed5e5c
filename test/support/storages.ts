import { rmSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock, Storage } from '@partner-hiring/core';
import { createPostgresStorage, type PostgresTransaction } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import Sqlite, { type Database } from 'better-sqlite3';
import { Client } from 'pg';
import { whileBusy } from './clock.js';
import { cellsOfRun, namesOfSchemas, type TestSchema } from './postgres/database.js';
import { leavePool, takePool } from './postgres/pools.js';
import { leaveSchema, takeSchema } from './postgres/schemas.js';

/** A host's transaction on SQLite or PostgreSQL. */
export type HostTransaction = Database | PostgresTransaction;

/** A connection of the host to the storage's database. */
export interface Host {
  readonly tx: HostTransaction;
  run(sql: string, ...values: unknown[]): Promise<void>;
  rows(sql: string): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

/** Tells another process where a database is. */
export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly file: string }
  | {
      readonly kind: 'postgres';
      readonly connectionString: string;
      readonly schema: string;
      /** The option of the storage. */
      readonly schemas: TestSchema['schemas'];
    };

/** A new database for a test, on SQLite or PostgreSQL. */
export interface TestDatabase {
  readonly location: DatabaseLocation;
  /** Opens a storage on this database. */
  open(clock: Pick<Clock, 'now'>): Promise<Storage<HostTransaction>>;
  host(): Promise<Host>;
  /** Removes the database. Close its storages first. */
  remove(): Promise<void>;
}

/**
 * Creates a database on PostgreSQL if the environment variable `STORAGE` is `postgres`, otherwise on SQLite. The Vitest
 * project sets it. With `CELLS=8`, a database on PostgreSQL has eight cells, unless the test asks for one.
 */
export function createTestDatabase(cells = cellsOfRun()): Promise<TestDatabase> {
  return process.env.STORAGE === 'postgres' ? createPostgresDatabase(cells) : createSqliteDatabase();
}

/** A file with empty tables. Copying it takes a tenth of the time of the migrations. */
let emptyFile: Promise<string> | null = null;

async function createEmptyFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-hiring-empty-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'empty.sqlite');
  await (await createSqliteStorage({ file })).close();
  return file;
}

async function createSqliteDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-hiring-'));
  const file = join(folder, 'test.sqlite');
  emptyFile ??= createEmptyFile();
  await copyFile(await emptyFile, file);
  return {
    location: { kind: 'sqlite', file },
    open: (clock) => createSqliteStorage({ file, clock }),
    host: async () => {
      const handle = new Sqlite(file);
      return {
        tx: handle,
        run: async (sql, ...values) => {
          const statement = handle.prepare(sql === 'begin' ? 'begin immediate' : sql);
          statement.run(...values);
        },
        rows: async (sql) => handle.prepare(sql).all(),
        close: async () => void handle.close(),
      };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function createPostgresDatabase(cells: number): Promise<TestDatabase> {
  const database = takeSchema(cells);
  const { connectionString, schema, schemas } = database;
  return {
    location: { kind: 'postgres', connectionString, schema, schemas },
    open: async (clock) => {
      const pool = takePool();
      const stopWatching = whileBusy(() => pool.totalCount > pool.idleCount || pool.waitingCount > 0);
      const storage = await createPostgresStorage({ pool, ...schemas, clock });
      let closing: Promise<void> | undefined;
      return {
        ...storage,
        close: () => {
          closing ??= storage.close().then(async () => {
            stopWatching();
            await leavePool(pool);
          });
          return closing;
        },
      };
    },
    host: async () => {
      const client = new Client({ connectionString });
      await client.connect();
      await client.query(`set search_path = ${schema}`);
      return {
        tx: client,
        run: async (sql, ...values) => void (await client.query(sql.replace('?', '$1'), values)),
        rows: async (sql) => {
          const cells = /\bph_/.test(sql) ? namesOfSchemas(database) : [schema];
          const rows: unknown[] = [];
          for (const cell of cells) {
            await client.query(`set search_path = ${cell}`);
            rows.push(...(await client.query<Record<string, unknown>>(sql)).rows);
          }
          await client.query(`set search_path = ${schema}`);
          return rows;
        },
        close: () => client.end(),
      };
    },
    remove: () => leaveSchema(database),
  };
}
