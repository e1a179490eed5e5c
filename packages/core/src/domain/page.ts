import { hash } from 'node:crypto';
import type { ApplicationStatus } from './application.js';
import type { EventType, PartnerEvent } from './event.js';
import type { KeyId } from './ids.js';
import type { Instant } from './time.js';

/** The sizes of a page of the partner API, not of the operator's lists. Contract: 5.5. */
export const PAGE_LIMIT = { min: 1, default: 50, max: 200 } as const;

/** A route that lists. */
export type ListName = 'jobs' | 'applications';

/** The filters of a list. A cursor is valid only for the filters of the request that returned it. */
export interface ListFilters {
  readonly updatedSince: Instant | null;
  readonly companyId: string | null;
  readonly status: ApplicationStatus | 'open' | null;
}

/** A query of a list. */
export interface ListQuery extends ListFilters {
  readonly keyId: KeyId;
  readonly after: Instant | null;
  readonly limit: number;
}

/** A query of a key's event log. */
export interface EventQuery extends Omit<ListQuery, 'companyId' | 'status'> {
  readonly type: EventType | null;
}

/** A page of an event log, in stamp order. */
export interface EventPage {
  readonly rows: readonly PartnerEvent[];
  readonly hasMore: boolean;
  /** The page has every event of the range up to this stamp. If there are more, the next page begins here. */
  readonly through: Instant;
  /** Events up to this stamp may be missing. Null if the log does not record every event. */
  readonly recordedAfter: Instant | null;
}

/** Returns whether events after the position of the query may be missing. A query without a position reads what there is. */
export function mayMissEvents(query: EventQuery, recordedAfter: Instant): boolean {
  if (query.after === null && query.updatedSince === null) return false;
  return Math.max(startsAfter(query), 0) < recordedAfter;
}

/** A page in stamp order. */
export interface FeedPage<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  /** The newest stamp of the feed, from the same snapshot. */
  readonly head: Instant;
}

/** Returns a page size of at most 200. */
export function clampLimit(limit: number | null): number {
  return limit === null ? PAGE_LIMIT.default : Math.min(limit, PAGE_LIMIT.max);
}

/** Uses the later of the cursor and `updated_since`. */
export function startsAfter(query: Pick<ListQuery, 'after' | 'updatedSince'>): Instant {
  return Math.max(query.after ?? -1, query.updatedSince ?? -1);
}

/** The filters that bind the cursors of each list. */
interface BoundFilters extends Record<ListName, ListFilters & { readonly keyId: KeyId }> {
  readonly events: Pick<EventQuery, 'keyId' | 'updatedSince' | 'type'>;
}

/** Returns a stateless cursor. It is not authenticated: a forged cursor can only read the caller's own feed. */
export function encodeCursor<List extends keyof BoundFilters>(
  list: List,
  query: BoundFilters[List],
  after: Instant,
): string {
  const bytes = Buffer.alloc(CURSOR_BYTES);
  bytes.writeUInt8(CURSOR_VERSION, 0);
  bytes.writeBigUInt64BE(BigInt(after), STAMP_OFFSET);
  bytes.write(hashBinding(bindingOf(list, query)), BINDING_OFFSET, 'hex');
  return bytes.toString('base64url');
}

/** Returns null for a malformed cursor, or one of another key, list or filter. */
export function decodeCursor<List extends keyof BoundFilters>(
  list: List,
  query: BoundFilters[List],
  cursor: string,
): Instant | null {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== CURSOR_BYTES) return null;
  const after = Number(bytes.readBigUInt64BE(STAMP_OFFSET));
  if (!Number.isSafeInteger(after)) return null;
  return encodeCursor(list, query, after) === cursor ? after : null;
}

/**
 * Returns the time up to which the partner knows every change once it has read this page. Partners pass it as
 * the next `updated_since`.
 */
export function updatedThrough<Row>(page: FeedPage<Row>, stampOf: (row: Row) => Instant): Instant {
  const last = page.rows.at(-1);
  return page.hasMore && last !== undefined ? stampOf(last) : page.head;
}

/** Increase it when the format changes, so that old cursors are rejected. */
const CURSOR_VERSION = 2;
const STAMP_OFFSET = 1;
const BINDING_OFFSET = 9;
const CURSOR_BYTES = 24;

function bindingOf(list: string, query: BoundFilters[keyof BoundFilters]): readonly unknown[] {
  const { keyId, updatedSince } = query;
  const others = 'type' in query ? [query.type] : [query.companyId, query.status];
  return [list, keyId, updatedSince, ...others];
}

/** Returns a hash of a list and its filters, with 120 bits. At this length, collisions are negligible. */
export function hashBinding(binding: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(binding)).slice(0, 2 * (CURSOR_BYTES - BINDING_OFFSET));
}
