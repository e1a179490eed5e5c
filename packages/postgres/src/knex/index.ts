import type { LibraryTransactions } from '@partner-hiring/core';
import {
  assertHandle,
  hasMethod,
  libraryTransactions,
  withoutStatement,
} from '@partner-hiring/storage-kysely';
import type { PostgresRows, PostgresStatements, PostgresValue } from '../host-statements.js';
import type { PostgresTransaction } from '../host-transaction.js';
import { splitAtPlaceholders } from '../placeholders.js';

/** A transaction of Knex on PostgreSQL. */
export interface KnexTransaction {
  raw(text: string, values: PostgresValue[]): PromiseLike<unknown>;
  /** Only transactions have this method. Knex itself may run each statement on another connection. */
  savepoint(...values: never[]): unknown;
}

/**
 * Makes a transaction of Knex usable with `operator.within`.
 * @example
 * ```ts
 * await knex.transaction(async (trx) => {
 *   await trx('payroll_entry').insert({ application_id: applicationId });
 *   await operator.within(fromKnex(trx)).applications.decide({ id: applicationId, decision: 'accepted' });
 * });
 * ```
 * @throws OperatorError `MISCONFIGURED` for a Knex instance, or for another library's transaction.
 */
export function fromKnex(trx: KnexTransaction): PostgresStatements {
  const isRight = hasMethod(trx, 'raw') && hasMethod(trx, 'savepoint');
  assertHandle(isRight, 'fromKnex takes the transaction of `knex.transaction(async (trx) => …)`.');
  return {
    library: 'Knex',
    query: async (text, values) => {
      const split = splitAtPlaceholders(text, values);
      // Knex reads every `?` as a placeholder, also in text and operators.
      const escaped = split.parts.map((part) => part.replaceAll('?', '\\?'));
      try {
        return (await trx.raw(escaped.join('?'), [...split.values])) as PostgresRows;
      } catch (error) {
        throw withoutStatement(error);
      }
    },
  };
}

/** Opens the transactions of the inbox with Knex: `inbox: { transaction: inKnex(knex), receive }`. */
export function inKnex<Trx extends KnexTransaction>(knex: {
  transaction(run: (trx: Trx) => Promise<void>): PromiseLike<unknown>;
}): LibraryTransactions<PostgresTransaction, Trx> {
  return libraryTransactions('Knex', (run) => knex.transaction((trx) => run(fromKnex(trx), trx)));
}
