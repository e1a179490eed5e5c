import type { Instant } from '@partner-hiring/core/ports';

export interface Outcome {
  /**
   * The returned rows. A statement whose writes are counted must return its rows: Citus's command tags also
   * count the rows that an `insert … select … on conflict` selected. A driver with reliable counts may add a
   * row for each written row.
   */
  readonly rows: readonly unknown[];
}

/** Runs one statement for each set of parameters. Returns the rows of all runs. */
export type Execute = (sql: string, sets: readonly (readonly unknown[])[]) => Promise<Outcome>;

export type Work<T> = (execute: Execute) => Promise<T>;

/** The ways to run a statement in a transaction. */
export interface Ways {
  readonly execute: Execute;
  /** For statements that may take effect alone: the driver may send them before the transaction has begun. */
  readonly executeEarly: Execute;
  /** For the last statement: the commit may go with it, so it must fail if the rest must not commit. */
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
  /** Runs work in one transaction, which is durable when this resolves and rolled back when it rejects. */
  write<T>(work: TransactionWork<T>): Promise<T>;
  /** Like `write` for one statement or batch, but a power failure may lose the last commits. */
  writeWithAsyncCommit<T>(work: Work<T>): Promise<T>;
  /** Runs statements in the host's open transaction. */
  adopt(hostTx: HostTx): Execute;
  now(): Instant;
  close(): Promise<void>;
}
