import { PAGE_LIMIT, startsAfter } from '@partner-hiring/core';
import type {
  ApplicationStatus,
  CompanyId,
  FeedPage,
  Instant,
  KeyId,
  ListQuery,
} from '@partner-hiring/core/ports';
import { type AliasedSelectQueryBuilder, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Preparation } from './preparation.js';
import type { Schema } from './schema.js';

/** The values of a page's statement; those of filters that it does not have are ignored. */
export interface PageParams {
  readonly keyId: KeyId;
  readonly after: Instant;
  readonly companyId: CompanyId;
  readonly status: ApplicationStatus;
  /** One row more than the page: whether there is one is all that is asked of it. */
  readonly limit: number;
}

/** A page's row with the head of the feed. The head comes alone, `id` null, if the page is empty. */
interface HeadedRow {
  readonly id: string;
  readonly head: Instant;
}

/** The values that a list request gives to its statement. */
export function pageParams(query: ListQuery): PageParams {
  return {
    keyId: query.keyId,
    after: startsAfter(query),
    companyId: query.companyId as CompanyId,
    status: query.status as ApplicationStatus,
    limit: query.limit + 1,
  };
}

/** The longest page, and one row more. A literal: the planner knows it. */
const LONGEST = sql.lit(PAGE_LIMIT.max + 1);

/**
 * The rows of a page as a table named `page`, as many as the limit lets.
 *
 * A server keeps one plan for all limits, and takes a limit that it does not know for a tenth of the table: the
 * longer the list, the more rows it would expect and the worse the plan, or it would plan each call anew. It is told
 * first how many rows there are at most. Inside the process no row is read that is not asked for, either way.
 */
export function pageOf<Row extends { readonly changed_at: Instant }>(
  { queries, batches }: Preparation,
  rows: SelectQueryBuilder<Schema, never, Row>,
  limit: RawBuilder<number>,
): AliasedSelectQueryBuilder<Row, 'page'> {
  if (batches.kind === 'one_by_one') return rows.limit(limit).as('page');
  const longest = rows.limit(LONGEST).as('longest');
  return queries
    .selectFrom(longest)
    .selectAll()
    .orderBy('longest.changed_at')
    .limit(limit)
    .as('page') as unknown as AliasedSelectQueryBuilder<Row, 'page'>;
}

/** The page in the rows of its statement. Rows and head come from one statement, so from one snapshot. */
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
