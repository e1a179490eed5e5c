import type { KeyId } from '../../domain/ids.js';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.js';
import { misconfiguration } from '../../errors.js';
import type { Clock, Runtime } from '../../ports/runtime.js';
import type { Repositories, Storage } from '../../ports/storage.js';
import type { StorageClock } from '../../storage-clock.js';
import type { Found, PeriodicTask } from '../../worker/loop.js';
import { INBOX_TASK } from '../../worker/worker-parts.js';
import { BATCH, createHandOver, type HandOver, type InboxObserver } from './hand-over-task.js';
import type { InboxOptions } from './options.js';
import { createReceiver } from './receiver-task.js';
import { INBOX_CHANGES, type InboxChanges } from './rules.js';

export interface Inbox {
  /** Resolves once the inbox is on. Must resolve before a submission is accepted. */
  ensureOn(): Promise<void>;
  readonly task: PeriodicTask;
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
  throw misconfiguration(`\`inbox.changes\` must be one of ${INBOX_CHANGES.join(', ')}.`);
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

interface InboxTaskOptions {
  readonly direct: Pick<Repositories, 'inbox'>;
  readonly handOver: HandOver;
  readonly concurrency: number;
  /** Turns the inbox on for all processes, once. */
  readonly ensureOn: () => Promise<void>;
  readonly clock: Clock;
  readonly storageClock: StorageClock;
}

/** How often a poll searches all keys, for entries of other processes. */
const SEARCH_EVERY_MS = SECOND_MS;
const FIRST_BACK_OFF_MS = SECOND_MS;
const LONGEST_BACK_OFF_MS = MINUTE_MS;
/** Keys of one transaction. */
const KEYS = 16;

/** Hands the unread entries to the host. Backs off while the host refuses everything. */
function createInboxTask(options: InboxTaskOptions): PeriodicTask {
  const { direct, handOver, concurrency, ensureOn, clock, storageClock } = options;
  const hints = new Set<KeyId>();
  /** Keys that have a head. */
  const prepared = new Set<KeyId>();
  let searchedAt = Number.NEGATIVE_INFINITY;
  let outages = 0;
  let triedAt = Number.NEGATIVE_INFINITY;

  /** Returns whether to wait after an outage. New entries end the wait early: maybe the host only refused one entry. */
  function isResting(now: number): boolean {
    if (outages === 0) return false;
    const rest = Math.min(FIRST_BACK_OFF_MS * 2 ** (outages - 1), LONGEST_BACK_OFF_MS);
    return now - triedAt < (hints.size > 0 ? FIRST_BACK_OFF_MS : rest);
  }

  async function nextKeys(now: number): Promise<readonly KeyId[]> {
    if (hints.size === 0 || Math.abs(now - searchedAt) >= SEARCH_EVERY_MS) {
      searchedAt = now;
      for (const key of await direct.inbox.findKeys(await storageClock.sync())) hints.add(key);
    }
    const keys = [...hints].slice(0, KEYS * concurrency);
    for (const key of keys) hints.delete(key);
    return keys;
  }

  async function prepare(keys: readonly KeyId[]): Promise<void> {
    const missing = keys.filter((key) => !prepared.has(key));
    if (missing.length === 0) return;
    await direct.inbox.addHeads(missing);
    for (const key of missing) prepared.add(key);
  }

  async function poll(): Promise<Found> {
    await ensureOn();
    const now = clock.now();
    if (isResting(now)) return 'nothing';
    triedAt = now;
    const keys = await nextKeys(now);
    if (keys.length === 0) {
      outages = 0;
      return 'nothing';
    }
    await prepare(keys);
    const ended = await Promise.all(lanesOf(keys, concurrency).map(handOver));
    const accepted = ended.map((each) => (each.kind === 'accepted' ? each.count : 0));
    const isOutage = ended.some(({ kind }) => kind === 'outage') && accepted.every((count) => count === 0);
    outages = isOutage ? outages + 1 : 0;
    if (isOutage) return 'nothing';
    // Each transaction takes an equal share of each key.
    const isMore = accepted.some((count) => count >= BATCH / 2);
    if (isMore) for (const key of keys) hints.add(key);
    if (accepted.every((count) => count === 0)) return hints.size > 0 ? 'full' : 'nothing';
    return hints.size > 0 ? 'full' : 'some';
  }

  return { name: INBOX_TASK, poll, idle: async () => {}, hint: (keyId) => void hints.add(keyId) };
}

/** Shares the keys among transactions. */
function lanesOf(keys: readonly KeyId[], lanes: number): readonly (readonly KeyId[])[] {
  const count = Math.min(lanes, keys.length);
  return Array.from({ length: count }, (_, lane) => keys.filter((_key, index) => index % count === lane));
}
