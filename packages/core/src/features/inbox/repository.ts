import type { ApplicationId, KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type {
  InboxChanges,
  InboxEntry,
  InboxEntryKey,
  InboxEntryState,
  ListedEntry,
  PostponedEntry,
  RefusedEntry,
  UnreadEntry,
} from './rules.js';

/** A refused entry after which a list continues. */
export type RefusedPosition = Pick<InboxEntry, 'keyId' | 'at' | 'applicationId'>;

/** Counts of the inbox. They stop at 10,000. */
export interface InboxCounts {
  /** Items that the host has not received, without parked ones. */
  readonly unread: number;
  /** Items that wait for an operator, after ten refusals over at least a day. */
  readonly parked: number;
  /** When the oldest unread item happened; null if nothing is unread. */
  readonly oldestUnreadAt: Instant | null;
  /** False if counting stopped at a bound, so that there may be more. */
  readonly isExact: boolean;
}

/** Which entries a call takes. */
export interface InboxClaim {
  readonly keyIds: readonly KeyId[];
  readonly now: Instant;
  readonly limit: number;
}

/** An entry of an application that was recorded at `from` or soon after. */
export interface InboxQuestion {
  readonly keyId: KeyId;
  readonly applicationId: ApplicationId;
  readonly from: Instant;
}

/** Stores the entries that the host has not received yet, and when it received the others. */
export interface InboxRepository {
  isOn(): Promise<boolean>;
  /** Sets for all processes whether new entries are recorded. Returns whether this changed the setting. */
  turn(on: boolean): Promise<boolean>;
  /** Returns which changes of applications are recorded. */
  changes(): Promise<InboxChanges>;
  /** Sets it for all processes. Returns whether this changed it. */
  choose(changes: InboxChanges): Promise<boolean>;
  /** Records entries if the inbox is on. Their stamps belong to this transaction. */
  add(entries: readonly InboxEntry[]): Promise<void>;
  /**
   * Records erasures if the inbox is on, once for each application. Erasures are found like retries, so they need no
   * stamp.
   */
  addErasures(erased: readonly Pick<InboxEntry, 'applicationId' | 'keyId' | 'at'>[]): Promise<void>;
  /** Returns what became of the erasures of applications. Null for an application without one. */
  findErasures(
    of: readonly Pick<InboxEntry, 'applicationId' | 'keyId'>[],
  ): Promise<readonly (InboxEntryState | null)[]>;
  /**
   * Deletes new entries of applications that were recorded at `from` or soon after. Returns the application of each
   * deleted entry. Entries that this call does not find are dropped when they are claimed.
   */
  drop(questions: readonly InboxQuestion[]): Promise<readonly ApplicationId[]>;
  /** Finds keys with entries to hand over by `now`. A call may scan only some keys. The next call continues. */
  findKeys(now: Instant): Promise<readonly KeyId[]>;
  /** Creates missing heads. Must be committed before `claim`, which locks heads. */
  addHeads(keyIds: readonly KeyId[]): Promise<void>;
  /** Locks the heads of the keys until the transaction ends. Waits for other transactions. */
  lockHeads(keyIds: readonly KeyId[]): Promise<void>;
  /**
   * Locks the free heads of the keys until the transaction ends. Returns their entries to hand over, in order
   * within each key. Skips heads that another transaction locks or a consumer has leased.
   */
  claim(claim: InboxClaim): Promise<readonly UnreadEntry[]>;
  /** Like `claim`, for entries that were claimed before. Omits those that are done meanwhile. */
  claimAgain(entries: readonly UnreadEntry[], now: Instant): Promise<readonly UnreadEntry[]>;
  /**
   * Like `claim`, but leases the heads for `forMs` milliseconds instead of locking them, for a consumer outside this
   * process. Erasures lease no head, but are hidden for the same time.
   */
  lease(claim: InboxClaim & { readonly forMs: number }): Promise<readonly UnreadEntry[]>;
  /**
   * Records when the host accepted entries, and deletes the entries except erasures. Afterwards, `claim` never returns
   * to earlier entries of their keys.
   */
  finish(entries: readonly UnreadEntry[], now: Instant): Promise<void>;
  /**
   * Records when entries were acknowledged, and deletes the entries except erasures. If none of a named key's leased
   * entries is left, ends the lease of its head. Returns how many of the entries were unread.
   */
  acknowledge(
    entries: readonly (InboxEntryKey & { readonly keyId?: KeyId })[],
    now: Instant,
  ): Promise<number>;
  /** Sets entries aside. Afterwards, `claim` returns earlier entries of their keys only if they are retries. */
  postpone(entries: readonly PostponedEntry[]): Promise<void>;
  /** Records refusals without setting the entries aside. */
  noteRefused(entries: readonly RefusedEntry[]): Promise<void>;
  /** Lists refused entries, or only parked ones, in the order of key ids, oldest first within each key. */
  listRefused(
    onlyParked: boolean,
    limit: number,
    after: RefusedPosition | null,
  ): Promise<readonly ListedEntry[]>;
  /** Makes parked entries due: the named ones, or at most `limit` of all. Returns how many. */
  retryParked(which: readonly InboxEntryKey[] | { readonly limit: number }, now: Instant): Promise<number>;
  counts(): Promise<InboxCounts>;
  /** Returns the first entry of the application since `from`, or null if there is none, or its receipt is swept. */
  findEntry(question: InboxQuestion): Promise<InboxEntryState | null>;
  /** Deletes what is recorded about entries that the host received before `before`. */
  sweepReceipts(before: Instant, limit: number): Promise<number>;
}
