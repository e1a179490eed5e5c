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

/** Returns a stateless cursor. It is not authenticated: a forged cursor can only read the caller's own feed. */
export function encodeCursor(list: ListName, query: ListFilters & { keyId: KeyId }, after: Instant): string {
  return toCursor(listBinding(list, query), after);
}

/** Returns null for a malformed cursor, or one of another key, list or filter. */
export function decodeCursor(
  list: ListName,
  query: ListFilters & { keyId: KeyId },
  cursor: string,
): Instant | null {
  return fromCursor(listBinding(list, query), cursor);
}

type EventFilters = Pick<EventQuery, 'keyId' | 'updatedSince' | 'type'>;

/** Like `encodeCursor`, for the event log. */
export function encodeEventCursor(query: EventFilters, after: Instant): string {
  return toCursor(eventBinding(query), after);
}

/** Like `decodeCursor`, for the event log. */
export function decodeEventCursor(query: EventFilters, cursor: string): Instant | null {
  return fromCursor(eventBinding(query), cursor);
}

function toCursor(binding: readonly unknown[], after: Instant): string {
  const bytes = Buffer.alloc(CURSOR_BYTES);
  bytes.writeUInt8(CURSOR_VERSION, 0);
  bytes.writeBigUInt64BE(BigInt(after), STAMP_OFFSET);
  bytes.write(hashBinding(binding), BINDING_OFFSET, 'hex');
  return bytes.toString('base64url');
}

function fromCursor(binding: readonly unknown[], cursor: string): Instant | null {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== CURSOR_BYTES) return null;
  const after = Number(bytes.readBigUInt64BE(STAMP_OFFSET));
  if (!Number.isSafeInteger(after)) return null;
  return toCursor(binding, after) === cursor ? after : null;
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

function listBinding(list: ListName, query: ListFilters & { keyId: KeyId }): readonly unknown[] {
  return [list, query.keyId, query.updatedSince, query.companyId, query.status];
}

function eventBinding({ keyId, updatedSince, type }: EventFilters): readonly unknown[] {
  return ['events', keyId, updatedSince, type];
}

/** Returns a hash of a list and its filters, with 120 bits. At this length, collisions are negligible. */
export function hashBinding(binding: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(binding)).slice(0, 2 * (CURSOR_BYTES - BINDING_OFFSET));
}
