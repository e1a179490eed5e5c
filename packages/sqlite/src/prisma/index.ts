import { assertHandle, hasMethod, toPrismaCause } from '@partner-hiring/storage-kysely';
import type { SqliteStatements } from '../host-statements.js';

/** The client that `prisma.$transaction(async (tx) => …)` passes to its function, with the adapter for better-sqlite3. */
export interface PrismaSqliteTransaction {
  $queryRawUnsafe(text: string, ...values: unknown[]): PromiseLike<unknown>;
  /** Only the Prisma client has it, and the client runs each statement on its own. */
  readonly $connect?:
    | 'fromPrismaSqlite takes the transaction of prisma.$transaction instead of the client'
    | undefined;
}

/**
 * Makes a transaction of Prisma usable with `operator.within`.
 * @example
 * ```ts
 * await prisma.$transaction(async (tx) => {
 *   await tx.payrollEntry.create({ data: { applicationId } });
 *   await operator.within(fromPrismaSqlite(tx)).applications.decide({ id: applicationId, decision: 'accepted' });
 * });
 * ```
 * @throws OperatorError `MISCONFIGURED` for a Prisma client, or for another library's transaction.
 */
export function fromPrismaSqlite(tx: PrismaSqliteTransaction): SqliteStatements {
  const isRight = hasMethod(tx, '$queryRawUnsafe') && !hasMethod(tx, '$connect');
  assertHandle(isRight, 'fromPrismaSqlite takes the transaction of `prisma.$transaction(async (tx) => …)`.');
  return {
    library: 'Prisma',
    query: async (text, values) => {
      try {
        return (await tx.$queryRawUnsafe(text, ...values)) as readonly unknown[];
      } catch (error) {
        throw toPrismaCause(error);
      }
    },
  };
}
