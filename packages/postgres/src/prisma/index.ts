import type { LibraryTransactions } from '@partner-hiring/core';
import { assertHandle, hasMethod, libraryTransactions, toPrismaCause } from '@partner-hiring/storage-kysely';
import type { PostgresRows, PostgresStatements } from '../host-statements.js';
import type { PostgresTransaction } from '../host-transaction.js';

/** The client that `prisma.$transaction(async (tx) => …)` passes to its function. */
export interface PrismaTransaction {
  $queryRawUnsafe(text: string, ...values: unknown[]): PromiseLike<unknown>;
  /** Only the Prisma client has this method. The client may run each statement on another connection. */
  readonly $connect?:
    | 'fromPrisma takes the transaction of prisma.$transaction instead of the client'
    | undefined;
}

/** Opens interactive transactions: a Prisma client. */
export interface PrismaTransactions<Tx> {
  $transaction(run: (tx: Tx) => Promise<void>, options?: typeof LIMITS): PromiseLike<unknown>;
}

/**
 * In milliseconds. Longer than `receive` may take, so that the library's own deadline ends first. Prisma's defaults are
 * 2 s and 5 s.
 */
const LIMITS = { maxWait: 5_000, timeout: 15_000 };

/**
 * Makes a transaction of Prisma usable with `operator.within`.
 * @example
 * ```ts
 * await prisma.$transaction(async (tx) => {
 *   await tx.payrollEntry.create({ data: { applicationId } });
 *   await operator.within(fromPrisma(tx)).applications.decide({ id: applicationId, decision: 'accepted' });
 * });
 * ```
 * @throws OperatorError `MISCONFIGURED` for a Prisma client, or for another library's transaction.
 */
export function fromPrisma(tx: PrismaTransaction): PostgresStatements {
  const isRight = hasMethod(tx, '$queryRawUnsafe') && !hasMethod(tx, '$connect');
  assertHandle(isRight, 'fromPrisma takes the transaction of `prisma.$transaction(async (tx) => …)`.');
  return {
    library: 'Prisma',
    query: async (text, values) => {
      try {
        return (await tx.$queryRawUnsafe(text, ...values)) as PostgresRows;
      } catch (error) {
        throw toPrismaCause(error, { severity: 'ERROR' });
      }
    },
  };
}

/** Opens the transactions of the inbox with Prisma: `inbox: { transaction: inPrisma(prisma), receive }`. */
export function inPrisma<Tx extends PrismaTransaction>(
  prisma: PrismaTransactions<Tx>,
): LibraryTransactions<PostgresTransaction, Tx> {
  return libraryTransactions('Prisma', (run) => prisma.$transaction((tx) => run(fromPrisma(tx), tx), LIMITS));
}
