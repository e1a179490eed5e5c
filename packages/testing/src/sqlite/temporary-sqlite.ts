import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '@partner-hiring/core';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import type { TemporaryDatabase } from '../create-test-instance.js';

type SqliteStorage = Awaited<ReturnType<typeof createSqliteStorage>>;
type HostTx = SqliteStorage extends Storage<infer Tx, unknown> ? Tx : never;
type SqliteTx = SqliteStorage extends Storage<HostTx, infer Tx> ? Tx : never;

/** A SQLite file in a temporary folder. */
export interface TemporarySqlite extends TemporaryDatabase<HostTx, SqliteTx> {
  /** The path of the file. Open it with better-sqlite3 for your own tables and transactions. */
  readonly file: string;
}

/**
 * Creates a temporary folder for a SQLite database. Closing the instance removes the folder. Close your own handles on the
 * file first.
 * @example
 * const database = temporarySqlite();
 * const instance = await createTestInstance({ database });
 */
export function temporarySqlite(): TemporarySqlite {
  const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-test-'));
  const file = join(folder, 'test.sqlite');
  return {
    file,
    open: (clock) => createSqliteStorage({ file, clock }),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}
