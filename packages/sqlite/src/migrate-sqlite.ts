import { existsSync } from 'node:fs';
import type { OperatorError } from '@partner-hiring/core';
import {
  checkStorageOptionNames,
  type Migration,
  migrate,
  missingMigrations,
  type StorageOptionNames,
  storageMisconfiguration,
} from '@partner-hiring/storage-kysely';
import type { Database } from 'better-sqlite3';
import { checkFile, openConnections } from './connections.js';
import { openHandle } from './driver-version.js';
import { fromSqliteError } from './errors.js';
import { appliedMigrations, createMigrationTarget, sqliteMigrations } from './migrations.js';
import { runTransaction, type Writer } from './transaction.js';
import { retryBusy, timeoutFromNow } from './write-queue.js';

/** The options of {@link migrateSqlite}. */
export interface SqliteMigrationOptions {
  /** The path of the database file, as for `createSqliteStorage`. */
  readonly file: string;
  /** Whether to only return the missing steps. Default false. */
  readonly dryRun?: boolean | undefined;
}

/** One step of a migration plan. */
export interface SqliteMigrationStep {
  readonly version: number;
  readonly name: string;
  /**
   * The oldest migration that a release must know to run on the schema after this step. Null if no older
   * release can.
   */
  readonly oldestCompatible: number | null;
  readonly sql: string;
}

const OPTIONS: StorageOptionNames<SqliteMigrationOptions> = { file: true, dryRun: true };

/**
 * Migrates the tables of a file in one transaction, and creates the file if it does not exist.
 * `createSqliteStorage` does the same when it opens the file. If several processes call it, one migrates and the
 * others wait.
 * @example
 * ```ts
 * await migrateSqlite({ file: 'partner-hiring.sqlite' });
 * ```
 * @returns the missing steps in order. With `dryRun`, it neither runs them nor creates the file.
 * @throws OperatorError `MISCONFIGURED` if an option is invalid, the file was made before 0.1.0, or a newer, incompatible
 *   release has migrated it.
 * @throws StorageUnavailable if the file cannot be opened or stays locked.
 */
export async function migrateSqlite(
  options: SqliteMigrationOptions,
): Promise<readonly SqliteMigrationStep[]> {
  checkSqliteOptions('migrateSqlite', options, OPTIONS);
  checkFile(options.file);
  return migrateFileTo(sqliteMigrations(), options);
}

export async function migrateFileTo(
  migrations: readonly Migration[],
  options: SqliteMigrationOptions,
): Promise<readonly SqliteMigrationStep[]> {
  const file = options.file.trim();
  if (options.dryRun) return missingIn(file, migrations);
  const deadline = timeoutFromNow();
  try {
    const connections = await retryBusy(async () => openConnections(file), deadline);
    try {
      return await retryBusy(() => bringFileUpToDate(connections.writer, migrations, Date.now), deadline);
    } finally {
      connections.close();
    }
  } catch (error) {
    throw fromSqliteError(error);
  }
}

/** Returns all migrations of this release in order, with their SQL. */
export function listSqliteMigrations(): readonly SqliteMigrationStep[] {
  return sqliteMigrations();
}

/** Throws `MISCONFIGURED` unless the options are a record with known names. */
export function checkSqliteOptions(maker: string, options: object, known: object): void {
  if (typeof options !== 'object' || options === null) {
    throw storageMisconfiguration(
      `Pass an object with a \`file\`: \`${maker}({ file: 'partner-hiring.sqlite' })\`.`,
    );
  }
  checkStorageOptionNames(maker, options, known);
}

/** Returns the missing migrations. Only reads, and does not create the file. */
export function missingIn(file: string, migrations: readonly Migration[]): readonly Migration[] {
  return readIfThere(file, (handle) =>
    missingMigrations(handle === null ? [] : appliedMigrations(handle), migrations, { file }),
  );
}

/** Opens the file for reading only; passes null if it does not exist. */
export function readIfThere<T>(file: string, read: (handle: Database | null) => T): T {
  if (!existsSync(file)) return read(null);
  try {
    const handle = openHandle(file, { readonly: true, fileMustExist: true });
    try {
      return read(handle);
    } finally {
      handle.close();
    }
  } catch (error) {
    throw fromSqliteError(error);
  }
}

/**
 * Applies the missing migrations, and returns them. Reads first, without the write lock, so that an up-to-date
 * file opens even while another process writes.
 */
export async function bringFileUpToDate(
  writer: Writer,
  migrations: readonly Migration[],
  now: () => number,
): Promise<readonly Migration[]> {
  const { handle } = writer;
  const missing = missingMigrations(appliedMigrations(handle), migrations, { file: handle.name });
  if (missing.length > 0) {
    await runTransaction(writer, 'full', () => migrate(createMigrationTarget(handle), migrations, now()));
  }
  return missing;
}

/**
 * Checks the tables of a file. Only reads, so that the file of another program stays as it is.
 *
 * @throws OperatorError `MISCONFIGURED` if the file does not exist, was made before 0.1.0, or lacks tables or migrations.
 */
export function assertMigrated(file: string, migrations = sqliteMigrations()): void {
  if (!existsSync(file)) throw refusal(`The file ${file} does not exist.`);
  const handle = openHandle(file, { readonly: true });
  try {
    const applied = appliedMigrations(handle);
    if (applied.length === 0) throw refusal(`${file} has no tables of the partner API.`);
    const missing = missingMigrations(applied, migrations, { file });
    if (missing.length > 0) throw refusal(`${file} lacks migrations of this release.`);
  } finally {
    handle.close();
  }
}

function refusal(problem: string): OperatorError {
  return storageMisconfiguration(
    `${problem} Call migrateSqlite, or open the storage with \`migrate: 'at_start'\` first.`,
  );
}
