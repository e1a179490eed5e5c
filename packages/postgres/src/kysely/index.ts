import type { LibraryTransactions } from '@partner-hiring/core';
import { assertHandle, libraryTransactions } from '@partner-hiring/storage-kysely';
import type { KyselyTransaction, PostgresTransaction } from '../host-transaction.js';

/**
 * Checks a transaction of Kysely and returns it. `operator.within` also takes the transaction itself.
 * @example
 * ```ts
 * await db.transaction().execute(async (trx) => {
 *   await trx.insertInto('payroll_entry').values({ application_id: applicationId }).execute();
 *   await operator.within(fromKysely(trx)).applications.decide({ id: applicationId, decision: 'accepted' });
 * });
 * ```
 * @throws OperatorError `MISCONFIGURED` for a Kysely instance, or for another library's transaction.
 */
export function fromKysely<Trx extends KyselyTransaction>(trx: Trx): Trx {
  assertHandle(
    (trx as Partial<KyselyTransaction> | undefined)?.isTransaction === true && 'executeQuery' in trx,
    'fromKysely takes the transaction of `db.transaction().execute(async (trx) => …)`.',
  );
  return trx;
}

/** Opens the transactions of the inbox with Kysely: `inbox: { transaction: inKysely(db), receive }`. */
export function inKysely<Trx extends KyselyTransaction>(db: {
  transaction(): { execute(run: (trx: Trx) => Promise<void>): Promise<unknown> };
}): LibraryTransactions<PostgresTransaction, Trx> {
  return libraryTransactions('Kysely', (run) => db.transaction().execute((trx) => run(fromKysely(trx), trx)));
}
