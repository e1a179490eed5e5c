import { type ExportedSnapshot, exportRows } from '@partner-hiring/storage-kysely';
import type { Database } from 'better-sqlite3';
import { openHandle } from './driver-version.js';
import { fromSqliteError } from './errors.js';
import { CREATE_MIGRATION_TABLE, sqliteMigrations } from './migrations.js';

/** The options of {@link openSqliteReader}. */
export interface SqliteReaderOptions {
  /** The path of the database file. It must exist. */
  readonly file: string;
  /** How long to wait for a lock, in milliseconds. The process is blocked meanwhile. Default 2000. */
  readonly timeoutMs?: number | undefined;
}

/** Reads a file without a storage, for example before its tables exist. */
export interface SqliteReader {
  /**
   * Runs one statement that reads.
   * @throws StorageUnavailable if the file is locked or damaged.
   * @throws Error if the statement writes.
   */
  rows(sql: string, values?: readonly unknown[]): readonly Readonly<Record<string, unknown>>[];
  /** Creates the tables of this release in memory, and reads them with `read`. */
  readNewTables<T>(read: (rows: SqliteReader['rows']) => T): T;
  /** Reads everything from one snapshot, without hashes, sealed secrets, sessions and stored replies. */
  exportAll(write: ExportedSnapshot['write']): Promise<void>;
  close(): void;
}

const DEFAULT_TIMEOUT_MS = 2_000;

/**
 * Opens a file for reading only, for tools that inspect a database. Unlike a storage, it neither creates the
 * file nor changes settings or tables.
 * @example
 * ```ts
 * const reader = openSqliteReader({ file: 'partner-hiring.sqlite' });
 * const [row] = reader.rows('pragma journal_mode');
 * const journalMode = row?.journal_mode;
 * reader.close();
 * ```
 * @throws OperatorError `MISCONFIGURED` if the version of better-sqlite3 would end the process.
 * @throws StorageUnavailable if the file does not exist or is not a database.
 */
export function openSqliteReader({
  file,
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: SqliteReaderOptions): SqliteReader {
  const asStorageError = <T>(run: () => T): T => {
    try {
      return run();
    } catch (error) {
      throw fromSqliteError(error);
    }
  };
  const handle = asStorageError(() =>
    openHandle(file, { readonly: true, fileMustExist: true, timeout: timeoutMs }),
  );
  const rowsOf =
    (from: Database): SqliteReader['rows'] =>
    (sql, values = []) =>
      asStorageError(() => from.prepare<unknown[], Record<string, unknown>>(sql).all(...values));
  return {
    rows: rowsOf(handle),
    readNewTables: (read) => {
      const memory = openHandle(':memory:', {});
      try {
        for (const sql of [CREATE_MIGRATION_TABLE, ...sqliteMigrations().map((each) => each.sql)])
          memory.exec(sql);
        return read(rowsOf(memory));
      } finally {
        memory.close();
      }
    },
    exportAll: async (write) => {
      const read = rowsOf(handle);
      const rows: ExportedSnapshot['rows'] = (sql, values) => read(sql.replaceAll(/\$\d+/g, '?'), values);
      asStorageError(() => handle.exec('begin'));
      try {
        await exportRows({ prefixes: [''], rows, write });
      } finally {
        handle.exec('rollback');
      }
    },
    close: () => void handle.close(),
  };
}
