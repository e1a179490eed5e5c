import { hash } from 'node:crypto';
import type { ApplicationStatus } from './application.js';
import type { KeyId } from './ids.js';
import type { Instant } from './time.js';

/** Page size: when none is asked for, and at most. Spec: Limits, rule 3. */
export const PAGE_LIMIT = { min: 1, default: 50, max: 200 } as const;

/** The list endpoints; a cursor belongs to one. */
export type ListName = 'jobs' | 'applications';

/** What narrows a list. A cursor is bound to all of it. */
export interface ListFilters {
  /** Only what changed strictly after this instant; null for all. */
  readonly updatedSince: Instant | null;
  readonly companyId: string | null;
  readonly status: ApplicationStatus | 'open' | null;
}

/** A list request of a key. */
export interface ListQuery extends ListFilters {
  readonly keyId: KeyId;
  /** The last stamp the caller has seen by its cursor; null on the first page. */
  readonly after: Instant | null;
  readonly limit: number;
}

/** Some rows of a feed in its order. */
export interface FeedPage<Row> {
  readonly rows: readonly Row[];
  /** Whether rows follow. */
  readonly hasMore: boolean;
  /** The head of the key's feed in the same snapshot. */
  readonly head: Instant;
}

/** The page size for a request that asks for `limit`: clamped, however large. */
export function clampLimit(limit: number | null): number {
  return limit === null ? PAGE_LIMIT.default : Math.min(limit, PAGE_LIMIT.max);
}

/** The stamp after which a page starts: a cursor and `updated_since` are both lower bounds. */
export function startsAfter(query: Pick<ListQuery, 'after' | 'updatedSince'>): Instant {
  return Math.max(query.after ?? -1, query.updatedSince ?? -1);
}

/**
 * Returns the cursor of the page after a stamp. It is opaque to partners, stateless and without expiry.
 *
 * It contains a version, the stamp, and a truncated SHA-256 of what it is bound to (key, list and filters), and no
 * id. It is not authenticated: a forged cursor only moves a bound within the caller's own feed.
 */
export function encodeCursor(list: ListName, query: ListFilters & { keyId: KeyId }, after: Instant): string {
  const bytes = Buffer.alloc(CURSOR_BYTES);
  bytes.writeUInt8(CURSOR_VERSION, 0);
  bytes.writeBigUInt64BE(BigInt(after), STAMP_OFFSET);
  bytes.write(bindingHash(list, query), BINDING_OFFSET, 'hex');
  return bytes.toString('base64url');
}

/**
 * Returns the stamp in a cursor, or null if the cursor has another form or version, or is bound to another key,
 * list or filters. The page size is not part of the binding: `limit` may change from page to page.
 */
export function decodeCursor(
  list: ListName,
  query: ListFilters & { keyId: KeyId },
  cursor: string,
): Instant | null {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== CURSOR_BYTES) return null;
  const after = Number(bytes.readBigUInt64BE(STAMP_OFFSET));
  if (!Number.isSafeInteger(after)) return null;
  return encodeCursor(list, query, after) === cursor ? after : null;
}

/**
 * The feed's instant through which a reply is complete: its last row while rows follow, else the head of
 * the feed. As the next `updated_since` it misses nothing.
 */
export function updatedThrough<Row>(page: FeedPage<Row>, stampOf: (row: Row) => Instant): Instant {
  const last = page.rows.at(-1);
  return page.hasMore && last !== undefined ? stampOf(last) : page.head;
}

/** Increase it when the form changes: cursors of another version are then refused, not misread. */
const CURSOR_VERSION = 2;
const STAMP_OFFSET = 1;
const BINDING_OFFSET = 9;
/** 24 bytes are 32 characters of base64url, without padding and without spare bits that could differ. */
const CURSOR_BYTES = 24;

/** The first bytes of the hash that fit in: 120 bits, too many for two bindings to collide. */
function bindingHash(list: ListName, query: ListFilters & { keyId: KeyId }): string {
  const binding = [list, query.keyId, query.updatedSince, query.companyId, query.status];
  return hash('sha256', JSON.stringify(binding)).slice(0, 2 * (CURSOR_BYTES - BINDING_OFFSET));
}
