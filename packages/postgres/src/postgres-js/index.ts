import type { LibraryTransactions } from '@partner-hiring/core';
import { assertHandle, hasMethod, libraryTransactions } from '@partner-hiring/storage-kysely';
import type { PostgresRows, PostgresStatements, PostgresValue } from '../host-statements.js';
import type { PostgresTransaction } from '../host-transaction.js';

/** The `sql` that `sql.begin(async (sql) => …)` of postgres.js passes to its function. */
export interface PostgresJsTransaction {
  unsafe(text: string, values: PostgresValue[]): PromiseLike<PostgresRows>;
  /** Only transactions have this method. Outside a transaction, each statement may run on another connection. */
  savepoint(...values: never[]): unknown;
}

/**
 * Makes a transaction of postgres.js usable with `operator.within`.
 * @example
 * ```ts
 * await sql.begin(async (tx) => {
 *   await tx`insert into payroll_entry (application_id) values (${applicationId})`;
 *   await operator.within(fromPostgresJs(tx)).applications.decide({ id: applicationId, decision: 'accepted' });
 * });
 * ```
 * @throws OperatorError `MISCONFIGURED` outside a transaction, or for another library's transaction.
 */
export function fromPostgresJs(tx: PostgresJsTransaction): PostgresStatements {
  const isRight = hasMethod(tx, 'unsafe') && hasMethod(tx, 'savepoint');
  assertHandle(isRight, 'fromPostgresJs takes the transaction of `sql.begin(async (tx) => …)`.');
  return { library: 'postgres.js', query: async (text, values) => tx.unsafe(text, values) };
}

/** The instance of postgres.js. */
export interface PostgresJsInstance {
  begin(run: (tx: PostgresJsTransaction) => Promise<void>): Promise<unknown>;
}

/** The type of the transactions of an instance, from the last overload of `begin`. */
export type PostgresJsTransactionOf<Sql extends PostgresJsInstance> =
  Parameters<Sql['begin']> extends [string, (tx: infer Tx) => unknown] ? Tx : PostgresJsTransaction;

/** Opens the transactions of the inbox with postgres.js: `inbox: { transaction: inPostgresJs(sql), receive }`. */
export function inPostgresJs<Sql extends PostgresJsInstance>(
  sql: Sql,
): LibraryTransactions<PostgresTransaction, PostgresJsTransactionOf<Sql>> {
  return libraryTransactions('postgres.js', (run) =>
    sql.begin((tx) => run(fromPostgresJs(tx), tx as PostgresJsTransactionOf<Sql>)),
  );
}
