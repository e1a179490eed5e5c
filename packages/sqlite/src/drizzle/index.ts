import type { LibraryTransactions } from '@partner-hiring/core';
import { assertHandle, hasMethod, libraryTransactions } from '@partner-hiring/storage-kysely';
import type { Database } from 'better-sqlite3';
import { inBetterSqlite3 } from '../better-sqlite3/index.js';
import type { SqliteTransaction } from '../driver.js';

/** A Drizzle database on better-sqlite3. */
export interface DrizzleSqliteDatabase {
  readonly $client: Database;
}

/**
 * Makes a transaction on Drizzle's handle usable with `operator.within`. Begin it by hand, because `db.transaction` of
 * better-sqlite3 is synchronous, and commands are not.
 * @example
 * ```ts
 * db.run(sql`begin immediate`);
 * db.insert(payrollEntry).values({ applicationId }).run();
 * await operator.within(fromDrizzleSqlite(db)).applications.decide({ id: applicationId, decision: 'accepted' });
 * db.run(sql`commit`);
 * ```
 * @throws OperatorError `MISCONFIGURED` if no transaction is open, or for another driver or library.
 */
export function fromDrizzleSqlite(db: DrizzleSqliteDatabase): Database {
  const handle = (db as Partial<DrizzleSqliteDatabase> | undefined)?.$client;
  assertHandle(
    hasMethod(handle, 'prepare') && handle.inTransaction === true,
    'fromDrizzleSqlite takes a database of `drizzle-orm/better-sqlite3`, after `begin immediate`.',
  );
  return db.$client;
}

/** Opens the transactions of the inbox with Drizzle: `inbox: { transaction: inDrizzleSqlite(db), receive }`. */
export function inDrizzleSqlite<Db extends DrizzleSqliteDatabase>(
  db: Db,
): LibraryTransactions<SqliteTransaction, Db> {
  const open = inBetterSqlite3(db.$client);
  return libraryTransactions('Drizzle', (run) => open((handle) => run(handle, db)));
}
