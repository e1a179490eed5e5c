import type { Storage } from '@partner-hiring/core/ports';
import type { Database } from 'better-sqlite3';
import type { SqliteTransaction } from '../driver.js';

/**
 * Opens the transactions of the inbox on a handle of the host: `inbox: { transaction: inBetterSqlite3(database),
 * receive }`. No other code may use the handle during a transaction.
 */
export function inBetterSqlite3(database: Database) {
  return (run: (hostTx: SqliteTransaction, tx: Database) => Promise<void>): Promise<void> =>
    transact(database, (tx) => run(tx, tx));
}

/**
 * Runs `work` in a transaction on the host's handle, and returns its result. Commits unless `work` rejects. Before the
 * transaction begins, waits for the storage's own transactions, and later ones wait until it has ended. Without that,
 * `begin immediate` may block the process until SQLite's busy timeout, because it waits for a transaction of the same
 * process.
 * @param work - calls commands only with `operator.within(tx)`. Other commands would wait for this transaction.
 * @example
 * ```ts
 * await transactBetterSqlite3(storage, database, async (tx) => {
 *   tx.prepare('insert into payroll_entry (application_id) values (?)').run(applicationId);
 *   await operator.within(tx).applications.decide({ id: applicationId, decision: 'accepted' });
 * });
 * ```
 * @throws StorageUnavailable after 5 seconds of waiting for other transactions of this process.
 */
export function transactBetterSqlite3<T>(
  storage: Pick<Storage<SqliteTransaction, Database>, 'hostTransactions'>,
  database: Database,
  work: (tx: Database) => Promise<T>,
): Promise<T> {
  return storage.hostTransactions.runAlone(() => transact(database, work));
}

async function transact<T>(database: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  database.exec('begin immediate');
  try {
    const result = await work(database);
    database.exec('commit');
    return result;
  } catch (error) {
    if (database.inTransaction) database.exec('rollback');
    throw error;
  }
}
