import type { ApplicationRecord, ApplicationStatus, Stage } from '../../domain/application.js';
import type { ApplicationWarning } from '../../domain/application-warnings.js';
import type { Actor, Door } from '../../domain/audit.js';
import type { ApplicationId, InboxItemId, KeyId, PartnerId } from '../../domain/ids.js';
import type { Environment } from '../../domain/partner-key.js';
import { DAY_MS, HOUR_MS, type Instant, SECOND_MS } from '../../domain/time.js';

/**
 * The news that an inbox item brings: a submission, the end of a résumé's download, a change by others
 * (`application.changed`), or an erasure. A résumé counts as failed only after the last attempt to download it. No item
 * of an application follows its `candidate.erased`.
 */
export type InboxItemKind = ApplicationItemKind | 'application.changed' | 'candidate.erased';

/** The kinds of items that contain the application and no change. */
export type ApplicationItemKind = 'application.submitted' | 'resume.fetched' | 'resume.failed';

/** The fields of every item. */
export interface InboxItemHeader {
  readonly id: InboxItemId;
  /** When it happened. */
  readonly at: Instant;
  readonly applicationId: ApplicationId;
  readonly partnerId: PartnerId;
  readonly partnerName: string;
  readonly keyId: KeyId;
  /** `sandbox` for applications of a partner's tests. */
  readonly environment: Environment;
}

/** News about an application. Within one key, later items of these kinds have later instants. */
export interface ApplicationItem extends InboxItemHeader {
  readonly kind: ApplicationItemKind;
  /** The application as it is stored now, with the candidate and the state of the résumé. */
  readonly application: ApplicationRecord;
  /** Doubtful input that was accepted; empty if nothing is doubtful. */
  readonly warnings: readonly ApplicationWarning[];
}

/** Status and stage of an application. */
export interface ApplicationProgress {
  readonly status: ApplicationStatus;
  readonly stage: Stage;
}

/** A change of an application that your own code has not made. */
export interface ApplicationChange {
  readonly from: ApplicationProgress;
  readonly to: ApplicationProgress;
  /** The id of the member of staff, or `system:…` for an automatic act. */
  readonly by: string;
  readonly door: Exclude<Door, 'library'>;
}

/**
 * Somebody else has moved an application or decided on it. `application` is as it is stored now: later changes may be in
 * it already.
 */
export interface ApplicationChangedItem extends Omit<ApplicationItem, 'kind'> {
  readonly kind: 'application.changed';
  readonly change: ApplicationChange;
}

/**
 * The candidate of an application was erased: delete your own rows about it. You may get this item for an application
 * that you do not know.
 */
export interface CandidateErasedItem extends InboxItemHeader {
  readonly kind: 'candidate.erased';
  readonly application?: undefined;
  readonly warnings?: undefined;
}

/** News for the host about one application. `kind` says whether the item contains the application. */
export type InboxItem = ApplicationItem | ApplicationChangedItem | CandidateErasedItem;

/**
 * The changes of applications that the inbox brings: `staff`, the default, those through the console and the command
 * line; `all`, also those of the portal and automatic ones; `none`, none.
 */
export type InboxChanges = (typeof INBOX_CHANGES)[number];

export const INBOX_CHANGES = ['staff', 'all', 'none'] as const;

/** Says that the host does not hear what staff do with its applications. Null if it does. */
export function untoldNotice(isOn: boolean, changes: InboxChanges): string | null {
  if (isOn && changes !== 'none') return null;
  return `The platform's own system is not told of this: its inbox ${isOn ? 'takes no changes' : 'is off'}.`;
}

/** Returns the door of an act of which the host hears. Null for its own acts, and for others that it has not chosen. */
export function tellsOf(changes: InboxChanges, { door }: Actor): ApplicationChange['door'] | null {
  if (door === 'library' || changes === 'none') return null;
  return changes === 'all' || door === 'console' || door === 'command_line' ? door : null;
}

/** The stored part of an item. It holds no personal data. */
export interface InboxEntry {
  readonly applicationId: ApplicationId;
  readonly keyId: KeyId;
  /**
   * A stamp of the key's feed, so that entries of a key become visible in order. An erasure has the time of the erasure
   * instead, because partners would notice a stamp.
   */
  readonly at: Instant;
  readonly kind: InboxItemKind;
  /** The change, only for `application.changed`; otherwise null or omitted. */
  readonly change?: ApplicationChange | null | undefined;
}

/** An entry that the host has not accepted yet. */
export interface UnreadEntry extends InboxEntry {
  /**
   * Whether the storage finds the entry by the time of its retry. True if the host has refused the entry, if the entry
   * waits behind a refused one of its application, and for every erasure.
   */
  readonly isRetry: boolean;
  /** Whether the same application has an earlier unread entry. */
  readonly isBehind: boolean;
  /** How often the host refused it. An outage, in which the host accepts nothing, counts once at most. */
  readonly failures: number;
  /** When the host first refused it; null if it has not. */
  readonly firstFailureAt: Instant | null;
}

/** An entry that the host has refused. */
export interface RefusedEntry extends UnreadEntry {
  /** The host's error, shortened; null for an entry that only waits behind another. */
  readonly lastError: string | null;
}

/** A refused entry as a list has it. */
export interface ListedEntry extends RefusedEntry {
  /** Null if it is handed over again with the new entries. */
  readonly retryAt: Instant | null;
  /** When it was set aside; null if it was not. */
  readonly parkedAt: Instant | null;
}

/** An entry that is set aside until `retryAt`. A parked entry waits for an operator. */
export interface PostponedEntry extends ListedEntry {
  readonly retryAt: Instant;
}

/** The state of an entry. */
export interface InboxEntryState extends Pick<InboxEntry, 'at' | 'kind'> {
  /** When the host received or acknowledged it; null if it has not. */
  readonly receivedAt: Instant | null;
  /** How often the host refused it. An outage counts once at most. 0 once it is received. */
  readonly failures: number;
  /** When a refused entry is handed over again; null for a parked entry. */
  readonly retryAt: Instant | null;
  /** When it was set aside, after ten refusals over at least a day; null if it was not. */
  readonly parkedAt: Instant | null;
  /** The host's last error, shortened; null if it has not refused the entry. */
  readonly lastError: string | null;
}

/** The state of the item `candidate.erased` of an application. */
export interface ErasureItem extends Pick<InboxEntryState, 'at' | 'receivedAt' | 'parkedAt'> {
  readonly id: InboxItemId;
}

/** Returns the item of an application's erasure. Null if none was recorded. */
export function erasureItemOf(
  applicationId: ApplicationId,
  state: InboxEntryState | null,
): ErasureItem | null {
  if (state === null) return null;
  const { at, receivedAt, parkedAt } = state;
  return { id: `${applicationId}.erased`, at, receivedAt, parkedAt };
}

/** Names an entry. An application has at most one erasure. */
export type InboxEntryKey = Pick<InboxEntry, 'applicationId' | 'at'> | ErasureKey;

/** Names the erasure of an application. */
export interface ErasureKey {
  readonly applicationId: ApplicationId;
  readonly kind: 'candidate.erased';
}

export function isErasure(entry: InboxEntryKey | InboxEntry): entry is ErasureKey & typeof entry {
  return 'kind' in entry && entry.kind === 'candidate.erased';
}

/** Returns the id of an entry's item. The id of an erasure has no instant, because another entry may have the same. */
export function inboxItemId(entry: Pick<InboxEntry, 'applicationId' | 'at' | 'kind'>): InboxItemId {
  const { applicationId, at, kind } = entry;
  return kind === 'candidate.erased' ? `${applicationId}.erased` : `${applicationId}.${at}`;
}

/** Returns the entry that an item's id names, or null if the text is not such an id. */
export function parseInboxItemId(id: string): InboxEntryKey | null {
  const [, found, at] = /^(ej_app_[A-Za-z0-9_-]+)\.(\d{1,15}|erased)$/.exec(id) ?? [];
  if (found === undefined) return null;
  const applicationId = found as ApplicationId;
  return at === 'erased' ? { applicationId, kind: 'candidate.erased' } : { applicationId, at: Number(at) };
}

/** An item is parked after this many failures, if at least {@link PARK_AFTER_MS} have passed since the first one. */
export const PARK_AFTER_FAILURES = 10;
/** A host that deploys a fix within a day finds nothing parked. */
export const PARK_AFTER_MS = DAY_MS;

/** A parked entry has this instant as its retry, which never comes. */
export const NEVER: Instant = Number.MAX_SAFE_INTEGER;

const FIRST_RETRY_MS = 2 * SECOND_MS;
const RETRY_FACTOR = 6;
const LONGEST_RETRY_MS = 6 * HOUR_MS;
/** How often an entry checks whether the refused entry before it was accepted. */
const BEHIND_RETRY_MS = 5 * SECOND_MS;

/** Postpones an entry that the host refused while it accepted others. Parks it after the last try. */
export function afterRefusal(entry: UnreadEntry, now: Instant, lastError: string): PostponedEntry {
  const failures = entry.failures + 1;
  const firstFailureAt = entry.firstFailureAt ?? now;
  const isParked = failures >= PARK_AFTER_FAILURES && now - firstFailureAt >= PARK_AFTER_MS;
  const delay = Math.min(FIRST_RETRY_MS * RETRY_FACTOR ** (failures - 1), LONGEST_RETRY_MS);
  return {
    ...entry,
    failures,
    firstFailureAt,
    retryAt: isParked ? NEVER : now + delay,
    parkedAt: isParked ? now : null,
    lastError,
  };
}

/** Notes the refusal of an entry in an outage, so that lists show it. It stays in its place. */
export function afterOutage(entry: UnreadEntry, now: Instant, lastError: string): RefusedEntry {
  const failures = Math.max(1, entry.failures);
  return { ...entry, failures, firstFailureAt: entry.firstFailureAt ?? now, lastError };
}

/** Postpones an entry behind a refused entry of the same application. */
export function waitBehind(entry: UnreadEntry, now: Instant): PostponedEntry {
  return { ...entry, retryAt: now + BEHIND_RETRY_MS, parkedAt: null, lastError: null };
}

/** Separates the entries to hand over from those whose application has an earlier entry that is not in the list. */
export function splitBehind(entries: readonly UnreadEntry[]): {
  readonly ready: readonly UnreadEntry[];
  readonly behind: readonly UnreadEntry[];
} {
  const ready: UnreadEntry[] = [];
  const behind: UnreadEntry[] = [];
  const seen = new Set<ApplicationId>();
  for (const entry of entries) {
    if (entry.isBehind && !seen.has(entry.applicationId)) behind.push(entry);
    else {
      ready.push(entry);
      seen.add(entry.applicationId);
    }
  }
  return { ready, behind };
}
