import type { Instant } from '@partner-hiring/core/ports';

export interface Outcome {
  /**
   * The rows that the statement returned. To count written rows, a statement must return them, because
   * command tags are unreliable: Citus counts the rows that an `insert … select … on conflict` selected. A
   * driver with reliable counts may add a row for each written row of a statement without `returning`.
   */
  readonly rows: readonly unknown[];
}

/** Runs one statement once for each set of parameters, on one connection. Returns the rows of all runs. */
export type Execute = (sql: string, sets: readonly (readonly unknown[])[]) => Promise<Outcome>;

export type Work<T> = (execute: Execute) => Promise<T>;

/** The ways to run a statement in a transaction. */
export interface Ways {
  readonly execute: Execute;
  /**
   * For statements that may take effect alone: the driver may send one before it knows that the transaction
   * began.
   */
  readonly executeEarly: Execute;
  /**
   * For the last statement of a transaction: the driver may send the commit with it. The statement must fail
   * if the transaction must not commit.
   */
  readonly executeLast: Execute;
}

export type TransactionWork<T> = (ways: Ways) => Promise<T>;

/**
 * A database's connections. The driver retries on contention, so work may run more than once. It throws
 * `StorageUnavailable` if it cannot recover.
 */
export interface Driver<HostTx> {
  /** Runs reading statements in order. Each sees what is committed when it runs. */
  read<T>(work: Work<T>): Promise<T>;
  /**
   * Runs work in one transaction. The transaction is durable when this resolves, and rolled back when it
   * rejects.
   */
  write<T>(work: TransactionWork<T>): Promise<T>;
  /** Like `write` for one statement or batch, but a power failure may lose the last commits. */
  writeWithAsyncCommit<T>(work: Work<T>): Promise<T>;
  /** Runs statements in a transaction that the host began and will end. */
  adopt(hostTx: HostTx): Execute;
  /** Returns the time on this process's clock. */
  now(): Instant;
  close(): Promise<void>;
}
