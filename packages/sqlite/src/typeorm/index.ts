import { assertHandle, hasMethod } from '@partner-hiring/storage-kysely';
import type { SqliteStatements, SqliteValue } from '../host-statements.js';

/** The entity manager of a transaction of TypeORM with the driver `better-sqlite3`. */
export interface TypeormSqliteTransaction {
  query(text: string, values: SqliteValue[]): Promise<unknown>;
  readonly queryRunner?: { readonly isTransactionActive: boolean } | undefined;
  /** Only data sources and query runners have it. */
  readonly manager?: 'fromTypeormSqlite takes the entity manager of a transaction' | undefined;
}

/**
 * Makes a transaction of TypeORM usable with `operator.within`. With a query runner, pass `queryRunner.manager` after
 * `startTransaction`.
 * @example
 * ```ts
 * await dataSource.transaction(async (manager) => {
 *   await manager.insert(PayrollEntry, { applicationId });
 *   await operator.within(fromTypeormSqlite(manager)).applications.decide({ id: applicationId, decision: 'accepted' });
 * });
 * ```
 * @throws OperatorError `MISCONFIGURED` for an entity manager without a transaction, or for another library's.
 */
export function fromTypeormSqlite(manager: TypeormSqliteTransaction): SqliteStatements {
  const isRight = hasMethod(manager, 'query') && manager.queryRunner?.isTransactionActive === true;
  assertHandle(
    isRight,
    'fromTypeormSqlite takes the entity manager of `dataSource.transaction(async (manager) => …)`.',
  );
  return {
    library: 'TypeORM',
    query: async (text, values) => (await manager.query(text, values)) as readonly unknown[],
  };
}
