import { SECOND_MS } from '../../domain/time.js';
import { misconfiguration } from '../../errors.js';
import type { Clock } from '../../ports/runtime.js';
import type { Repositories, Storage } from '../../ports/storage.js';
import { withDeadline } from '../../worker/host-deadline.js';
import type { InboxOptions } from './options.js';
import type { InboxItem } from './rules.js';

/** Runs work in a transaction that it shares with the host's `receive`. */
export interface Receiver {
  /** How many transactions may be open at once. */
  readonly concurrency: number;
  /** Whether the host opens the transactions, so that only the host knows whether they commit. */
  readonly isOfHost: boolean;
  run<T>(work: (tx: Repositories, receive: Receive) => Promise<T>): Promise<T>;
}

export type Receive = (items: readonly InboxItem[]) => Promise<void>;

/** Longer than a slow batch. The transaction holds locks meanwhile. */
const RECEIVE_MS = 10 * SECOND_MS;
/** Leaves connections of a small pool for requests. */
const CONCURRENCY = 4;

const MUST_BE_SYNCHRONOUS =
  '`inbox.receive` returned a promise, but on SQLite it must be synchronous: an open transaction blocks all other writers. ' +
  'Write with better-sqlite3 without `await`, or read the inbox with operator.inbox.take and acknowledge. Nothing was received.';

const MUST_RUN =
  '`inbox.transaction` resolved before `run` did. It must open a transaction, `await run(tx)`, and then commit. Nothing ' +
  'counts as received.';

export function createReceiver<HostTx, StorageTx, Tx>(
  storage: Storage<HostTx, StorageTx>,
  inbox: InboxOptions<HostTx, StorageTx, Tx>,
  clock: Clock,
): Receiver {
  const { areExclusive } = storage.hostTransactions;

  async function receive<Context>(
    receiver: {
      receive(items: readonly InboxItem[], context: { readonly tx: Context }): void | Promise<void>;
    },
    items: readonly InboxItem[],
    tx: Context,
  ): Promise<void> {
    const returned: unknown = receiver.receive(items, { tx });
    if (!areExclusive) return withDeadline(clock, RECEIVE_MS, Promise.resolve(returned as Promise<void>));
    if (!isPromise(returned)) return;
    returned.then(undefined, () => {});
    throw misconfiguration(MUST_BE_SYNCHRONOUS);
  }

  return {
    concurrency: areExclusive ? 1 : CONCURRENCY,
    isOfHost: inbox.transaction !== undefined,
    run: async <T>(work: (tx: Repositories, receive: Receive) => Promise<T>): Promise<T> => {
      if (inbox.transaction === undefined) {
        return storage.hostTransactions.run((tx, repositories) =>
          work(repositories, (items) => receive(inbox, items, tx)),
        );
      }
      const ofHost = inbox;
      let outcome: { readonly result: T } | { readonly error: unknown } | null = null;
      await storage.hostTransactions.runAlone(async () =>
        ofHost.transaction(async (hostTx, tx) => {
          outcome = null;
          // A library without an adapter has one transaction for both.
          const own = tx ?? (hostTx as unknown as Tx);
          try {
            outcome = { result: await work(storage.within(hostTx), (items) => receive(ofHost, items, own)) };
          } catch (error) {
            outcome = { error };
            throw error;
          }
        }),
      );
      return resultOf(outcome);
    },
  };
}

/** Throws if the host's function has swallowed the error, or has not waited for `run`. */
function resultOf<T>(outcome: { readonly result: T } | { readonly error: unknown } | null): T {
  if (outcome === null) throw misconfiguration(MUST_RUN);
  if ('error' in outcome) throw outcome.error;
  return outcome.result;
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function';
}
