import type { Repositories } from './repositories.js';

/**
 * Where everything lives. `HostTx` is the host's own transaction: what its driver or query builder calls
 * one. Handing over the wrong kind is a compile error.
 */
export interface Storage<HostTx> {
  /** Outside any transaction: each call commits by itself, and reads what was committed. */
  readonly direct: Repositories;
  /**
   * Runs work in one transaction that commits when it resolves and leaves nothing behind when it rejects.
   * Contention (a busy or deadlocked database) is retried from the start, so the work must have no effect
   * beyond the repositories. Durable once resolved.
   *
   * @throws StorageUnavailable when the storage is down, or the outcome of the commit is unknown.
   */
  transaction<T>(work: (tx: Repositories) => Promise<T>): Promise<T>;
  /** The repositories inside a transaction that the host opened and will end. */
  within(hostTx: HostTx): Repositories;
  /** Closes what the storage opened. What the host handed over stays open. */
  close(): Promise<void>;
}
