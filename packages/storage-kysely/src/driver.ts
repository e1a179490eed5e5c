import type { Instant } from '@partner-hiring/core/ports';

/** What a statement did. */
export interface Outcome {
  /**
   * The rows that it returned. How many a statement wrote counts only if it returns each: a command tag may tell of other
   * numbers. Citus, for one, counts what an `insert … select … on conflict` selected. A driver whose database counts
   * right may answer a row for each that was written by a statement that returns none.
   */
  readonly rows: readonly unknown[];
}

/**
 * Runs one statement on one connection, once for each set of parameters; the outcome is that of all together.
 */
export type Execute = (sql: string, sets: readonly (readonly unknown[])[]) => Promise<Outcome>;

/** Something done with a connection, for as long as it lasts. */
export type Work<T> = (execute: Execute) => Promise<T>;

/** The ways to run a statement in a transaction. */
export interface Ways {
  readonly execute: Execute;
  /** For what does no harm if it alone is done: the driver may send it before it knows that the transaction has begun. */
  readonly executeEarly: Execute;
  /**
   * For a statement that no other follows: the driver may send the commit along, so it must be one that fails if the
   * transaction is not to be committed.
   */
  readonly executeLast: Execute;
}

/** Something done in a transaction. */
export type TransactionWork<T> = (ways: Ways) => Promise<T>;

/**
 * A database's connections. Contention is retried inside; work may therefore run more than once. What the
 * driver cannot repair it throws as `StorageUnavailable`.
 */
export interface Driver<HostTx> {
  /** Runs statements that read, in their order; each sees what is committed when its turn comes. */
  read<T>(work: Work<T>): Promise<T>;
  /** Runs work in one transaction, durable once it resolves, undone when it rejects. */
  write<T>(work: TransactionWork<T>): Promise<T>;
  /**
   * Like `write` for one statement or one batch, but atomic only: a power failure may take back what was
   * committed last.
   */
  writeWithAsyncCommit<T>(work: Work<T>): Promise<T>;
  /** Statements inside a transaction that the host opened and will end. */
  adopt(hostTx: HostTx): Execute;
  /** Now, on the clock of this process. */
  now(): Instant;
  close(): Promise<void>;
}
