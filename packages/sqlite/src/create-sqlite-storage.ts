import type { Clock, Storage } from '@partner-hiring/core/ports';
import {
  createKyselyStorage,
  type StorageOptionNames,
  storageMisconfiguration,
} from '@partner-hiring/storage-kysely';
import type { Database } from 'better-sqlite3';
import { type Connections, checkFile, openConnections } from './connections.js';
import { sqliteDialect } from './dialect.js';
import { createSqliteDriver, type SqliteTransaction } from './driver.js';
import { fromSqliteError } from './errors.js';
import { assertMigrated, bringFileUpToDate, checkSqliteOptions } from './migrate-sqlite.js';
import { sqliteMigrations } from './migrations.js';
import { retryBusy, timeoutFromNow } from './write-queue.js';

/** The options of {@link createSqliteStorage}. */
export interface SqliteStorageOptions {
  /**
   * The path of the database file. If the file does not exist, it is created with mode 0600. `:memory:` is
   * not allowed.
   */
  readonly file: string;
  /**
   * `at_start`, the default, creates the file and migrates the tables when the storage opens. `never` only checks
   * them: the file must exist.
   */
  readonly migrate?: 'at_start' | 'never' | undefined;
  /** Replaces the machine's clock. For tests. */
  readonly clock?: Pick<Clock, 'now'> | undefined;
}

const OPTIONS: StorageOptionNames<SqliteStorageOptions> = { file: true, migrate: true, clock: true };

/**
 * Opens a storage on a SQLite file and migrates its tables, which start with `ph_`. Several processes may use
 * the same file, and it may also contain the host's own tables. A host's transaction is a better-sqlite3
 * handle on that file after `begin immediate`, or the result of an adapter. Emits a process warning if other users can read or change the
 * file.
 * @example
 * ```ts
 * const partnerHiring = createPartnerHiring({
 *   storage: await createSqliteStorage({ file: 'partner-hiring.sqlite' }),
 *   secretKey: process.env.PARTNER_HIRING_SEALING_KEY ?? '',
 * });
 * ```
 * @throws OperatorError `MISCONFIGURED` if an option is invalid, a durability setting has no effect, a newer,
 *   incompatible release has migrated the file, or with `migrate: 'never'` the file or a migration is missing.
 * @throws StorageUnavailable if the file cannot be opened or stays locked.
 */
export async function createSqliteStorage(
  options: SqliteStorageOptions,
): Promise<Storage<SqliteTransaction, Database>> {
  checkSqliteOptions('createSqliteStorage', options, OPTIONS);
  const { file, migrate: when = 'at_start', clock = { now: Date.now } } = options;
  checkMigrate(when);
  checkFile(file);
  // better-sqlite3 trims the path too.
  const connections = await openMigrated(file.trim(), when, clock).catch((error: unknown) => {
    throw fromSqliteError(error);
  });
  return createKyselyStorage(sqliteDialect, createSqliteDriver(connections, clock));
}

const MIGRATE = ['at_start', 'never'] as const;

/** Throws if the option has another value: a typo must not migrate. */
function checkMigrate(given: unknown): void {
  if (MIGRATE.some((choice) => choice === given)) return;
  const text = typeof given === 'string' ? `the text '${given}'` : String(given);
  throw storageMisconfiguration(`\`migrate\` was given as ${text}. It must be 'at_start' or 'never'.`);
}

async function openMigrated(
  file: string,
  when: (typeof MIGRATE)[number],
  clock: Pick<Clock, 'now'>,
): Promise<Connections> {
  const deadline = timeoutFromNow();
  if (when === 'never') await retryBusy(async () => assertMigrated(file), deadline);
  const connections = await retryBusy(async () => openConnections(file), deadline);
  const { writer } = connections;
  try {
    await retryBusy(() => bringFileUpToDate(writer, sqliteMigrations(), () => clock.now()), deadline);
    return connections;
  } catch (error) {
    connections.close();
    throw error;
  }
}
