import { OperatorError } from '@partner-hiring/core';
import type { Clock, Storage } from '@partner-hiring/core/ports';
import {
  checkOptionNames,
  createKyselyStorage,
  migrate,
  missingMigrations,
  type OptionNames,
} from '@partner-hiring/storage-kysely';
import type { Database } from 'better-sqlite3';
import { type Connections, checkFile, openConnections } from './connections.js';
import { sqliteDialect } from './dialect.js';
import { createSqliteDriver } from './driver.js';
import { toStorageError } from './errors.js';
import { appliedMigrations, createMigrationTarget, sqliteMigrations } from './migrations.js';
import { retryBusy, timeoutFromNow } from './retry-busy.js';
import type { Writer } from './transaction.js';
import { runTransaction } from './transaction.js';

/** How a SQLite storage is opened. */
export interface SqliteStorageOptions {
  /** The database file. The storage creates it, with mode 0600, if it does not exist. Not `:memory:`. */
  readonly file: string;
  /** The storage's clock: the machine's, which all processes share, unless a test brings one. */
  readonly clock?: Pick<Clock, 'now'>;
}

const OPTIONS: OptionNames<SqliteStorageOptions> = { file: true, clock: true };

/**
 * Opens a storage on a SQLite file and brings its tables up to date; any number of processes may do so at
 * once. The host may keep its own tables in the same file: all of ours begin with `ph_`.
 *
 * A host's transaction is a better-sqlite3 handle of its own on the same file, in a transaction that began
 * with `begin immediate`.
 *
 * Warns through the process, once, if other users of the machine can read or change the file.
 *
 * @throws OperatorError `MISCONFIGURED` if an option does not exist, the file cannot serve, a setting that durability rests on does not
 *   hold, or a newer release has migrated the file and does not name this one as compatible.
 * @throws StorageUnavailable if the file cannot be opened or stays locked.
 */
export async function createSqliteStorage(options: SqliteStorageOptions): Promise<Storage<Database>> {
  checkRecord(options);
  checkOptionNames('createSqliteStorage', options, OPTIONS);
  const { file, clock = { now: Date.now } } = options;
  checkFile(file);
  // As better-sqlite3 reads it: a path out of a file ends in a line's end, and nothing is seen to lie there.
  const connections = await openMigrated(file.trim(), clock).catch((error: unknown) => {
    throw toStorageError(error);
  });
  return createKyselyStorage(sqliteDialect, createSqliteDriver(connections, clock));
}

/** What JavaScript lets through: nothing, or a path that stands where an object should. */
function checkRecord(options: unknown): void {
  if (typeof options === 'object' && options !== null) return;
  throw new OperatorError(
    'MISCONFIGURED',
    "Options are an object with a `file`: `createSqliteStorage({ file: 'partner-hiring.sqlite' })`.",
  );
}

async function openMigrated(file: string, clock: Pick<Clock, 'now'>): Promise<Connections> {
  const deadline = timeoutFromNow();
  const connections = await retryBusy(async () => openConnections(file), deadline);
  const { writer } = connections;
  try {
    await retryBusy(() => bringUpToDate(writer, clock), deadline);
    return connections;
  } catch (error) {
    connections.close();
    throw error;
  }
}

/** Applies what is missing. Where nothing is, whoever is writing for long is not waited for. */
async function bringUpToDate(writer: Writer, clock: Pick<Clock, 'now'>): Promise<void> {
  const migrations = sqliteMigrations();
  const { handle } = writer;
  if (missingMigrations(appliedMigrations(handle), migrations).length === 0) return;
  await runTransaction(writer, 'full', () => migrate(createMigrationTarget(handle), migrations, clock.now()));
}
