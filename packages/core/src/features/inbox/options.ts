import type { InboxChanges, InboxItem } from './rules.js';

/** The second argument of `receive`. */
export interface InboxContext<Tx> {
  /** The open transaction. Write with it: the items count as received only if it commits. */
  readonly tx: Tx;
}

/** Receives inbox items, in order within each key. */
export interface InboxReceiver<Tx> {
  /**
   * Writes the items to the host's own tables; if it rejects, they are handed over again, one at a time. On PostgreSQL
   * it may take 10 seconds. On SQLite it must be synchronous. An item may arrive again, with the same id.
   */
  receive(items: readonly InboxItem[], context: InboxContext<Tx>): void | Promise<void>;
  /**
   * Which changes of applications you get as `application.changed`, never those of your own code; default: `staff`.
   * Counts for all processes.
   */
  readonly changes?: InboxChanges | undefined;
}

/** Lets the storage open the transaction: a connection of `pg`, or a handle of better-sqlite3. */
export interface InboxInStorage<StorageTx> extends InboxReceiver<StorageTx> {
  readonly transaction?: undefined;
}

/** Lets the host open the transaction with its own library. `Tx` is that library's own type of a transaction. */
export interface InboxInHost<HostTx, Tx = HostTx> extends InboxReceiver<Tx> {
  /**
   * Opens a transaction, awaits `run` with it, and commits unless `run` rejects. `hostTx` is the transaction for the
   * storage. `tx` is the transaction for `receive`; without it, `receive` gets `hostTx`. The adapters have functions
   * for this option, such as `inPrisma(prisma)`.
   */
  transaction(run: (hostTx: HostTx, tx?: Tx) => Promise<void>): PromiseLike<unknown>;
}

/**
 * Opens transactions of a library, as a value for the option `inbox.transaction`. The name of the library makes the
 * type an intersection. With a plain function type, the compiler would infer `Tx` only after it has typed `receive`.
 */
export type LibraryTransactions<HostTx, Tx> = ((
  run: (hostTx: HostTx, tx: Tx) => Promise<void>,
) => PromiseLike<unknown>) & { readonly library: string };

/** How the host hears of new applications and résumés. */
export type InboxOptions<HostTx, StorageTx, Tx = HostTx> =
  | InboxInStorage<StorageTx>
  | InboxInHost<HostTx, Tx>;
