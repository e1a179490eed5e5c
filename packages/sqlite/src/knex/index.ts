import { assertHandle, hasMethod, withoutStatement } from '@partner-hiring/storage-kysely';
import type { SqliteStatements, SqliteValue } from '../host-statements.js';

/** A transaction of Knex with the client `better-sqlite3`. */
export interface KnexSqliteTransaction {
  raw(text: string, values: SqliteValue[]): PromiseLike<unknown>;
  /** Only transactions have it. */
  savepoint(...values: never[]): unknown;
}

/**
 * Makes a transaction of Knex usable with `operator.within`.
 * @example
 * ```ts
 * await knex.transaction(async (trx) => {
 *   await trx('payroll_entry').insert({ application_id: applicationId });
 *   await operator.within(fromKnexSqlite(trx)).applications.decide({ id: applicationId, decision: 'accepted' });
 * });
 * ```
 * @throws OperatorError `MISCONFIGURED` for a Knex instance, or for another library's transaction.
 */
export function fromKnexSqlite(trx: KnexSqliteTransaction): SqliteStatements {
  const isRight = hasMethod(trx, 'raw') && hasMethod(trx, 'savepoint');
  assertHandle(isRight, 'fromKnexSqlite takes the transaction of `knex.transaction(async (trx) => …)`.');
  return {
    library: 'Knex',
    query: async (text, values) => {
      try {
        return (await trx.raw(text, values)) as readonly unknown[];
      } catch (error) {
        throw withoutStatement(error);
      }
    },
  };
}
