import type { ApplicationId, InboxItemId, KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import { misconfiguration, OperatorError, StorageUnavailable } from '../../errors.js';
import type { IdSource } from '../../ports/runtime.js';
import type { Repositories, Storage } from '../../ports/storage.js';
import type { StorageClock } from '../../storage-clock.js';
import { createItemBuilder } from './build-items.js';
import { describeRefusal, type Refusal, refusalText } from './describe-refusal.js';
import type { Receiver } from './receiver-task.js';
import {
  afterOutage,
  afterRefusal,
  type InboxItem,
  inboxItemId,
  isErasure,
  type PostponedEntry,
  splitBehind,
  type UnreadEntry,
  waitBehind,
} from './rules.js';

export interface HandOverDeps {
  readonly storage: Pick<Storage<never>, 'direct' | 'transaction'>;
  readonly receiver: Receiver;
  readonly storageClock: StorageClock;
  readonly ids: IdSource;
  readonly observer: InboxObserver;
}

export interface InboxObserver {
  received(items: readonly InboxItem[]): void;
  /** `isOutage`: the host accepted nothing meanwhile, so no failure is counted. */
  refused(refusal: Refusal, items: readonly InboxItemId[], isOutage: boolean): void;
  parked(count: number): void;
}

/** `outage`: the host refused everything. */
export type HandedOver = { readonly kind: 'accepted'; readonly count: number } | { readonly kind: 'outage' };

/** Hands over the entries of some keys in one transaction. */
export type HandOver = (keyIds: readonly KeyId[]) => Promise<HandedOver>;

/** The most items of one call of `receive`. */
export const BATCH = 100;

interface Refused {
  readonly entry: UnreadEntry;
  /** Null for an entry that waits behind a refused one of its application. */
  readonly refusal: Refusal | null;
}

/** Hands `ready` to the host. `all` has all entries of the transaction: after an error, each is tried alone. */
type Hand = (ready: readonly UnreadEntry[], all: readonly UnreadEntry[]) => Promise<void>;

/** The items that a transaction handed to the host, and all entries of the transaction. Both may be empty. */
interface Handed {
  readonly items: readonly InboxItem[];
  readonly entries: readonly UnreadEntry[];
}

const NOTHING: Handed = { items: [], entries: [] };

/** The host refused what it was handed, or its commit failed. */
interface HostRefusal {
  readonly kind: 'refused';
  readonly entries: readonly UnreadEntry[];
  readonly refusal: Refusal;
}

/** How a transaction that is shared with the host ended. */
type Ended<T> = { readonly kind: 'committed'; readonly result: T } | HostRefusal;

/**
 * Hands over a batch. If the host refuses it, each entry is handed over alone. If the host accepts at least one entry
 * meanwhile, the refused ones are postponed. Otherwise the host has an outage, and nothing is recorded.
 */
export function createHandOver(deps: HandOverDeps): HandOver {
  const { storage, receiver, storageClock, ids, observer } = deps;
  const buildItems = createItemBuilder();
  let accepted = 0;

  async function handOver(keyIds: readonly KeyId[]): Promise<HandedOver> {
    const before = accepted;
    const ended = await handOverBatch(keyIds);
    return ended.kind === 'refused' ? handOverEach(ended, before) : { kind: 'accepted', count: ended.result };
  }

  async function handOverBatch(keyIds: readonly KeyId[]): Promise<Ended<number>> {
    const now = await storageClock.sync();
    return shared(async (tx, hand) => {
      const claimed = await tx.inbox.claim({ keyIds, now, limit: BATCH });
      const { ready, behind } = splitBehind(claimed);
      await hand(ready, claimed);
      // Postpone before `finish`, which deletes the whole range of new entries.
      if (behind.length > 0) await tx.inbox.postpone(behind.map((entry) => waitBehind(entry, now)));
      await tx.inbox.finish(ready, now);
      return claimed.length;
    });
  }

  /**
   * Runs work in a transaction that is shared with the host. An error of the host in `hand`, or at the commit after it,
   * is returned as a refusal.
   * @throws all other errors.
   */
  async function shared<T>(work: (tx: Repositories, hand: Hand) => Promise<T>): Promise<Ended<T>> {
    const last = { handed: NOTHING };
    const [ended] = await Promise.allSettled([runWithHost(work, last)]);
    const { items, entries } = last.handed;
    if (ended.status === 'rejected') {
      const error: unknown = ended.reason;
      if (entries.length === 0 || isOfLibrary(error)) throw error;
      return { kind: 'refused', entries, refusal: describeRefusal(error, items) };
    }
    accepted += items.length;
    if (items.length > 0) observer.received(items);
    return { kind: 'committed', result: ended.value };
  }

  /** @param last - gets the items and entries that were handed over, even if this rejects; reset at each new run. */
  async function runWithHost<T>(
    work: (tx: Repositories, hand: Hand) => Promise<T>,
    last: { handed: Handed },
  ): Promise<T> {
    const result = await receiver.run((tx, receive) => {
      last.handed = NOTHING;
      return work(tx, async (ready, all) => {
        const items = await buildItems(tx, ready);
        if (items.length === 0) return;
        last.handed = { items, entries: all };
        await receive(items);
      });
    });
    if (receiver.isOfHost) await assertCommitted(last.handed);
    return result;
  }

  /** Throws if the host rolled back without an error. Otherwise, the entries would be handed over again and again. */
  async function assertCommitted({ entries: [first] }: Handed): Promise<void> {
    if (first === undefined) return;
    const left = await storage.direct.inbox.claimAgain([first], await storageClock.sync());
    if (left.length > 0) throw misconfiguration(NOT_COMMITTED);
  }

  async function handOverEach({ entries, refusal }: HostRefusal, before: number): Promise<HandedOver> {
    const blocked = new Set<ApplicationId>(
      splitBehind(entries).behind.map(({ applicationId }) => applicationId),
    );
    let refused: readonly Refused[] = [];
    const told: InboxItemId[] = [];
    let count = 0;
    for (const entry of entries) {
      const answer = blocked.has(entry.applicationId)
        ? { entry, refusal: null }
        : await handOverOne(entry, refused, entries.length === 1 ? refusal : null);
      if (answer === 'gone') continue;
      if (answer === 'accepted') {
        refused = [];
        count += 1;
      } else {
        if (answer.refusal !== null) told.push(inboxItemId(entry));
        blocked.add(entry.applicationId);
        refused = [...refused, answer];
      }
    }
    const isOutage = count === 0 && accepted === before;
    if (told.length > 0) observer.refused(refusal, told, isOutage);
    if (isOutage && refused.length > 0) {
      await storage.transaction((tx) => noteOutage(tx, refused));
      return { kind: 'outage' };
    }
    if (refused.length > 0) await storage.transaction((tx) => postponeRefused(tx, refused));
    return { kind: 'accepted', count };
  }

  /**
   * Hands over one entry. The same commit postpones the refused entries before it, because accepting this entry moves
   * the position of its key past them.
   * @param known - the refusal of this entry, if it was alone in its batch.
   */
  async function handOverOne(
    entry: UnreadEntry,
    refusedBefore: readonly Refused[],
    known: Refusal | null,
  ): Promise<'accepted' | 'gone' | Refused> {
    if (known !== null) return { entry, refusal: known };
    const now = await storageClock.sync();
    const ended = await shared(async (tx, hand) => {
      const [own] = await tx.inbox.claimAgain([entry], now);
      if (own === undefined) return 'gone';
      await hand([own], [own]);
      if (refusedBefore.length > 0) await postponeRefused(tx, refusedBefore);
      await tx.inbox.finish([own], now);
      return 'accepted';
    });
    return ended.kind === 'refused' ? { entry, refusal: ended.refusal } : ended.result;
  }

  /** Postpones the refused entries whose heads are free. Another worker decides about the others. */
  async function postponeRefused(tx: Repositories, refused: readonly Refused[]): Promise<void> {
    const { now, current } = await findAgain(tx, refused);
    const postponed = current.map(({ entry, refusal }) =>
      refusal === null ? waitBehind(entry, now) : afterRefusal(entry, now, refusalText(refusal)),
    );
    await tx.inbox.postpone(postponed);
    await alertParked(tx, postponed, now);
  }

  /** Notes the refusals of an outage, so that an operator sees the refused entries. */
  async function noteOutage(tx: Repositories, refused: readonly Refused[]): Promise<void> {
    const { now, current } = await findAgain(tx, refused);
    const noted = current.flatMap(({ entry, refusal }) =>
      refusal === null ? [] : [afterOutage(entry, now, refusalText(refusal))],
    );
    await tx.inbox.noteRefused(noted);
  }

  /** Finds the refused entries whose heads are free. Those of erased applications have no refusal. */
  async function findAgain(tx: Repositories, refused: readonly Refused[]) {
    const now = await storageClock.sync(tx.time);
    const there = await tx.inbox.claimAgain(
      refused.map(({ entry }) => entry),
      now,
    );
    const found = new Map(there.map((entry) => [inboxItemId(entry), entry]));
    const erased = await findErased(tx, there);
    const current = refused.flatMap(({ entry: { applicationId, at, kind }, refusal }): Refused[] => {
      const entry = found.get(inboxItemId({ applicationId, at, kind }));
      if (entry === undefined) return [];
      return [{ entry, refusal: erased.has(applicationId) && !isErasure(entry) ? null : refusal }];
    });
    return { now, current };
  }

  async function alertParked(
    tx: Repositories,
    postponed: readonly PostponedEntry[],
    at: Instant,
  ): Promise<void> {
    const parked = postponed.filter(({ parkedAt }) => parkedAt !== null);
    if (parked.length === 0) return;
    observer.parked(parked.length);
    await tx.alerts.add(
      parked.map((entry) => ({
        id: ids.next('alert'),
        kind: 'inbox_item_parked',
        at,
        keyId: entry.keyId,
        itemId: inboxItemId(entry),
        failures: entry.failures,
      })),
    );
  }

  return handOver;
}

/** Finds erased applications. Errors about them are not stored, and the next claim drops their entries. */
async function findErased(
  { applications }: Pick<Repositories, 'applications'>,
  entries: readonly UnreadEntry[],
): Promise<ReadonlySet<ApplicationId>> {
  const found = await applications.find(entries.map(({ applicationId }) => applicationId));
  return new Set(found.flatMap((each) => (each === null || each.erasedAt === null ? [] : [each.id])));
}

const NOT_COMMITTED =
  '`inbox.transaction` resolved, but its transaction was not committed. It must commit before it resolves, and reject if it ' +
  'rolls back. The items are handed over again.';

/** Returns whether the storage has an outage or an option is wrong. Then, trying each entry alone would not help. */
function isOfLibrary(error: unknown): boolean {
  return (
    error instanceof StorageUnavailable || (error instanceof OperatorError && error.code === 'MISCONFIGURED')
  );
}
