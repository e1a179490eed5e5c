import { assertHandle } from '@partner-hiring/storage-kysely';
import { CompiledQuery } from 'kysely';
import type { SqliteStatements } from '../host-statements.js';

/** A transaction of Kysely's SQLite dialect. */
export interface KyselySqliteTransaction {
  readonly isTransaction: true;
  executeQuery(compiledQuery: object): Promise<{ readonly rows: unknown[] }>;
}

/**
 * Makes a transaction of Kysely usable with `operator.within`.
 * @example
 * ```ts
 * await db.transaction().execute(async (trx) => {
 *   await trx.insertInto('payroll_entry').values({ application_id: applicationId }).execute();
 *   await operator.within(fromKyselySqlite(trx)).applications.decide({ id: applicationId, decision: 'accepted' });
 * });
 * ```
 * @throws OperatorError `MISCONFIGURED` for a Kysely instance, or for another library's transaction.
 */
export function fromKyselySqlite(trx: KyselySqliteTransaction): SqliteStatements {
  assertHandle(
    (trx as Partial<KyselySqliteTransaction> | undefined)?.isTransaction === true && 'executeQuery' in trx,
    'fromKyselySqlite takes the transaction of `db.transaction().execute(async (trx) => …)`.',
  );
  return {
    library: 'Kysely',
    query: async (text, values) => (await trx.executeQuery(CompiledQuery.raw(text, values))).rows,
  };
}
