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
 * A cursor: opaque to partners, stateless, without expiry, and bound to key, endpoint and filters, which it
 * spells out; the page size may change from page to page.
 */
export function encodeCursor(list: ListName, query: ListFilters & { keyId: KeyId }, after: Instant): string {
  return Buffer.from(JSON.stringify([...binding(list, query), after])).toString('base64url');
}

/** The stamp in a cursor, or null if it is not one that was given out for this list and these filters. */
export function decodeCursor(
  list: ListName,
  query: ListFilters & { keyId: KeyId },
  cursor: string,
): Instant | null {
  const after = lastElement(Buffer.from(cursor, 'base64url').toString());
  if (after === null) return null;
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

/** Bump it when the form changes: cursors of another version are then refused, not misread. */
const CURSOR_VERSION = 1;

function binding(list: ListName, query: ListFilters & { keyId: KeyId }): readonly unknown[] {
  return [CURSOR_VERSION, list, query.keyId, query.updatedSince, query.companyId, query.status];
}

function lastElement(json: string): number | null {
  try {
    const value: unknown = JSON.parse(json);
    const last: unknown = Array.isArray(value) ? value.at(-1) : null;
    return Number.isSafeInteger(last) ? (last as number) : null;
  } catch {
    return null;
  }
}
