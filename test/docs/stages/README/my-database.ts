import Database, { type Database as Transaction } from 'better-sqlite3';

/** Runs `work` in a transaction of the host. */
export async function inTransaction(work: (transaction: Transaction) => Promise<void>): Promise<void> {
  const database = new Database('partner-hiring.sqlite');
  try {
    database.exec('begin immediate');
    await work(database);
    database.exec('commit');
  } finally {
    database.close();
  }
}
