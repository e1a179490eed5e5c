import type { Instant } from '@partner-hiring/core/ports';

/** Where a database file is. Both are empty for a server, which is asked itself. */
export interface FileIdentity {
  readonly path: string;
  readonly inode: string;
}

export interface TransactionOutcome {
  /**
   * The returned rows. A statement whose writes are counted must return one row per write. The counts in
   * command tags are not used: with Citus, they include rows that an `insert … select … on conflict` selected
   * but did not write. A driver whose counts are reliable may add a row for each written row.
   */
  readonly rows: readonly unknown[];
}

/** Runs one statement for each set of parameters. Returns the rows of all runs. */
export type Execute = (sql: string, sets: readonly (readonly unknown[])[]) => Promise<TransactionOutcome>;

export type Work<T> = (execute: Execute) => Promise<T>;

/** The ways to run a statement in a transaction. */
export interface Ways {
  readonly execute: Execute;
  /**
   * For statements that may commit even if the rest of the transaction does not. The driver may send them
   * before the transaction has begun.
   */
  readonly executeEarly: Execute;
  /**
   * For the last statement. The driver may send the commit with it, so the statement must fail if the
   * transaction must not commit.
   */
  readonly executeLast: Execute;
}

export type TransactionWork<T> = (ways: Ways) => Promise<T>;

/**
 * Runs statements on a database's connections. It retries after contention, so `work` may run more than once.
 * It throws `StorageUnavailable` if retrying does not help.
 */
export interface Driver<HostTx, StorageTx = unknown> {
  /** Runs statements that only read, in order. Each one sees what is committed when it runs. */
  read<T>(work: Work<T>): Promise<T>;
  /**
   * Runs work in one transaction. The transaction is durable when the promise resolves, and rolled back when
   * it rejects.
   */
  write<T>(work: TransactionWork<T>): Promise<T>;
  /** Like `write`, but for one statement or batch whose commit a power failure may lose. */
  writeWithAsyncCommit<T>(work: Work<T>): Promise<T>;
  /** Runs statements in the host's open transaction. */
  adopt(hostTx: HostTx): Execute;
  /** Opens a transaction for code of the host, which runs statements on `tx`. Otherwise like `write`. */
  openForHost<T>(work: (tx: StorageTx, execute: Execute) => Promise<T>): Promise<T>;
  /**
   * Runs code that opens the host's own transaction. If writes are exclusive, no other write of this process runs
   * meanwhile. Otherwise the host's code could block the event loop while it waits for that write, which then could
   * never end.
   */
  runAlone<T>(work: () => Promise<T>): Promise<T>;
  /** Whether an open transaction blocks all other writers. */
  readonly areWritesExclusive: boolean;
  /** See `Storage`. */
  readonly rewriteErased?: (afterMs: number) => Promise<boolean>;
  now(): Instant;
  readonly fileIdentity?: FileIdentity;
  close(): Promise<void>;
}
