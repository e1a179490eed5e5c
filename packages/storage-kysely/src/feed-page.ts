import {
  type AgePosition,
  type ApplicationStatus,
  type CompanyId,
  type FeedPage,
  type Instant,
  type KeyId,
  type ListPage,
  type ListQuery,
  PAGE_LIMIT,
  startsAfter,
} from '@partner-hiring/core/ports';
import type { AliasedSelectQueryBuilder, RawBuilder } from 'kysely';
import { mergeRanges, type Range, type RangeOrder } from './merged-ranges.js';
import type { Preparation } from './preparation.js';

/** Sorts before every id, and has the type of each. */
export const NO_ID = '' as never;

/** The values of a list of rows that are ordered by age. */
export interface AgeParams<Id extends string> {
  readonly createdAt: Instant;
  readonly id: Id;
  readonly limit: number;
}

export const OLDEST_FIRST = { columns: ['created_at', 'id'], direction: 'asc' } as const satisfies RangeOrder;

/** Returns the parameters of a page. Without a position, starts before every stored instant and id. */
export function ageParams<Id extends string>({ after, limit }: ListPage<AgePosition<Id>>): AgeParams<Id> {
  return { createdAt: after?.createdAt ?? -1, id: after?.id ?? NO_ID, limit };
}

/** The values for all page statements. A statement ignores the values of filters that it does not have. */
export interface PageParams {
  readonly keyId: KeyId;
  readonly after: Instant;
  readonly companyId: CompanyId;
  readonly status: ApplicationStatus;
  /** One more row than the page holds, to detect whether another page follows. */
  readonly limit: number;
}

/** A row of a page, with the head of the feed. An empty page has one row whose `id` is null. */
interface HeadedRow {
  readonly id: string;
  readonly head: Instant;
}

export function pageParams(query: ListQuery): PageParams {
  return {
    keyId: query.keyId,
    after: startsAfter(query),
    companyId: query.companyId as CompanyId,
    status: query.status as ApplicationStatus,
    limit: query.limit + 1,
  };
}

const IN_FEED_ORDER = { columns: ['changed_at'], direction: 'asc' } as const;

/** Merges ranges of an index in the order of `changed_at`, and selects at most `limit` rows as `page`. */
export function pageOf<Row extends { readonly changed_at: Instant }>(
  preparation: Preparation,
  ranges: readonly Range<Row>[],
  limit: RawBuilder<number>,
): AliasedSelectQueryBuilder<Row, 'page'> {
  return mergeRanges(preparation, ranges, IN_FEED_ORDER, limit, PAGE_LIMIT.max + 1).as('page');
}

/** Turns rows into a page. The rows and the feed's head come from the same snapshot. */
export function toFeedPage<Row extends HeadedRow, Value>(
  query: ListQuery,
  rows: readonly Row[],
  toValue: (row: Row) => Value,
): FeedPage<Value> {
  const head = rows[0]?.head ?? 0;
  const isEmpty = (rows[0]?.id ?? null) === null;
  return {
    rows: isEmpty ? [] : rows.slice(0, query.limit).map(toValue),
    hasMore: rows.length > query.limit,
    head,
  };
}
