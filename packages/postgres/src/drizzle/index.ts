import type { LibraryTransactions } from '@partner-hiring/core';
import { assertHandle, hasMethod, libraryTransactions } from '@partner-hiring/storage-kysely';
import type { PostgresRows, PostgresStatements } from '../host-statements.js';
import type { PostgresTransaction } from '../host-transaction.js';
import { splitAtPlaceholders } from '../placeholders.js';

/** The transaction that `db.transaction(async (tx) => …)` passes to its function, with any PostgreSQL driver. */
export interface DrizzleTransaction<Query> {
  execute(query: Query): PromiseLike<unknown>;
  /** Only transactions have this method. The database itself may run each statement on another connection. */
  rollback(): never;
}

/** The template tag `sql` of `drizzle-orm`. */
export interface DrizzleSql<Query> {
  (parts: TemplateStringsArray, ...values: unknown[]): Query;
  param(value: unknown): unknown;
}

/**
 * Makes a transaction of Drizzle usable with `operator.within`. `sql` is the tag that `drizzle-orm` exports.
 * @example
 * ```ts
 * await db.transaction(async (tx) => {
 *   await tx.insert(payrollEntry).values({ applicationId });
 *   await operator.within(fromDrizzle(tx, sql)).applications.decide({ id: applicationId, decision: 'accepted' });
 * });
 * ```
 * @throws OperatorError `MISCONFIGURED` for a Drizzle database, for another library's transaction, or without `sql`.
 */
export function fromDrizzle<Query>(
  tx: DrizzleTransaction<Query>,
  sql: DrizzleSql<Query>,
): PostgresStatements {
  const isRight = hasMethod(tx, 'execute') && hasMethod(tx, 'rollback') && hasMethod(sql, 'param');
  assertHandle(
    isRight,
    'fromDrizzle takes the transaction of `db.transaction(async (tx) => …)`, and `sql` of drizzle-orm.',
  );
  return {
    library: 'Drizzle',
    query: async (text, values) => {
      const split = splitAtPlaceholders(text, values);
      const parts = Object.assign([...split.parts], { raw: split.parts });
      // As parameters, because the tag turns an array into a list of placeholders.
      const query = sql(parts, ...split.values.map((value) => sql.param(value)));
      return (await tx.execute(query)) as PostgresRows;
    },
  };
}

/** Opens the transactions of the inbox with Drizzle: `inbox: { transaction: inDrizzle(db, sql), receive }`. */
export function inDrizzle<Query, Tx extends DrizzleTransaction<Query>>(
  db: { transaction(run: (tx: Tx) => Promise<void>): Promise<unknown> },
  sql: DrizzleSql<Query>,
): LibraryTransactions<PostgresTransaction, Tx> {
  return libraryTransactions('Drizzle', (run) =>
    db.transaction((tx) => run(fromDrizzle<Query>(tx, sql), tx)),
  );
}
