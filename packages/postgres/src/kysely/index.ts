import type { LibraryTransactions } from '@partner-hiring/core';
import { libraryTransactions } from '@partner-hiring/storage-kysely';
import type { KyselyTransaction, PostgresTransaction } from '../host-transaction.js';

/** Opens the transactions of the inbox with Kysely: `inbox: { transaction: inKysely(db), receive }`. */
export function inKysely<Trx extends KyselyTransaction>(db: {
  transaction(): { execute(run: (trx: Trx) => Promise<void>): Promise<unknown> };
}): LibraryTransactions<PostgresTransaction, Trx> {
  return libraryTransactions('Kysely', (run) => db.transaction().execute((trx) => run(trx, trx)));
}
