import type { LibraryTransactions } from '@partner-hiring/core';
import { assertHandle, hasMethod, libraryTransactions } from '@partner-hiring/storage-kysely';
import type { PostgresRows, PostgresStatements, PostgresValue } from '../host-statements.js';
import type { PostgresTransaction } from '../host-transaction.js';

/** The entity manager of a transaction of TypeORM. */
export interface TypeormTransaction {
  query(text: string, values: PostgresValue[]): Promise<unknown>;
  readonly queryRunner?: { readonly isTransactionActive: boolean } | undefined;
  /** Only data sources and query runners have it. */
  readonly manager?: 'fromTypeorm takes the entity manager of a transaction' | undefined;
}

/**
 * Makes a transaction of TypeORM usable with `operator.within`. With a query runner, pass `queryRunner.manager` after
 * `startTransaction`.
 * @example
 * ```ts
 * await dataSource.transaction(async (manager) => {
 *   await manager.insert(PayrollEntry, { applicationId });
 *   await operator.within(fromTypeorm(manager)).applications.decide({ id: applicationId, decision: 'accepted' });
 * });
 * ```
 * @throws OperatorError `MISCONFIGURED` for an entity manager without a transaction, or for another library's.
 */
export function fromTypeorm(manager: TypeormTransaction): PostgresStatements {
  const isRight = hasMethod(manager, 'query') && manager.queryRunner?.isTransactionActive === true;
  assertHandle(
    isRight,
    'fromTypeorm takes the entity manager of `dataSource.transaction(async (manager) => …)`.',
  );
  return {
    library: 'TypeORM',
    query: async (text, values) => (await manager.query(text, values)) as PostgresRows,
  };
}

/** Opens the transactions of the inbox with TypeORM: `inbox: { transaction: inTypeorm(dataSource), receive }`. */
export function inTypeorm<Manager extends TypeormTransaction>(dataSource: {
  readonly manager: Manager;
  transaction(run: (manager: Manager) => Promise<void>): Promise<unknown>;
}): LibraryTransactions<PostgresTransaction, Manager> {
  return libraryTransactions('TypeORM', (run) =>
    dataSource.transaction((manager) => run(fromTypeorm(manager), manager)),
  );
}
