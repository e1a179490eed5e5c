import { INBOX_CHANGES, type InboxChanges } from '../domain/inbox.js';
import { OperatorError } from '../errors.js';
import type { Runtime } from '../ports/runtime.js';
import type { Storage } from '../ports/storage.js';
import type { StorageClock } from '../storage-clock.js';
import type { InboxTask } from '../worker/worker-parts.js';
import { createHandOver, type InboxObserver } from './hand-over.js';
import { createInboxTask } from './inbox-task.js';
import type { InboxOptions } from './options.js';
import { createReceiver } from './receiver.js';

export interface Inbox {
  /** Resolves once the inbox is on. Must resolve before a submission is accepted. */
  ensureOn(): Promise<void>;
  readonly task: InboxTask;
}

export interface InboxDeps<HostTx, StorageTx, Tx> {
  readonly storage: Storage<HostTx, StorageTx>;
  readonly storageClock: StorageClock;
  readonly runtime: Runtime;
  readonly inbox: InboxOptions<HostTx, StorageTx, Tx>;
  readonly observer: InboxObserver;
}

export function createInbox<HostTx, StorageTx, Tx>(deps: InboxDeps<HostTx, StorageTx, Tx>): Inbox {
  const { storage, storageClock, runtime, observer } = deps;
  const { direct } = storage;
  const { clock, ids } = runtime;
  const receiver = createReceiver(storage, deps.inbox, clock);
  // A read first, because a write would wait for others on SQLite.
  const changes = readChanges(deps.inbox.changes);
  const ensureOn = once(async () => {
    if (!(await direct.inbox.isOn())) await direct.inbox.turn(true);
    if ((await direct.inbox.changes()) !== changes) await direct.inbox.choose(changes);
  });
  const handOver = createHandOver({ storage, receiver, storageClock, ids, observer });
  const { concurrency } = receiver;
  return {
    ensureOn,
    task: createInboxTask({ direct, handOver, concurrency, ensureOn, clock, storageClock }),
  };
}

function readChanges(changes: InboxChanges = 'staff'): InboxChanges {
  if (INBOX_CHANGES.includes(changes)) return changes;
  throw new OperatorError('MISCONFIGURED', `\`inbox.changes\` must be one of ${INBOX_CHANGES.join(', ')}.`);
}

/** Repeats the work only after a failure, so that an operator can turn the inbox off later. */
function once(work: () => Promise<unknown>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= work().then(
      () => {},
      (error: unknown) => {
        done = null;
        throw error;
      },
    );
    return done;
  };
}
