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

/** The values of a page's statement, which ignores those of other filters. */
export interface PageParams {
  readonly keyId: KeyId;
  readonly after: Instant;
  readonly companyId: CompanyId;
  readonly status: ApplicationStatus;
  /** One more than the page holds, to detect another page. */
  readonly limit: number;
}

/** An empty page has one row with the head and a null `id`. */
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

const LONGEST = sql.lit(PAGE_LIMIT.max + 1);

/** Selects the rows as `page`. Unless the limit is a literal, PostgreSQL expects a tenth of the table. */
export function pageOf<Row extends { readonly changed_at: Instant }>(
  { queries, batches }: Preparation,
  rows: SelectQueryBuilder<Schema, never, Row>,
  limit: RawBuilder<number>,
): AliasedSelectQueryBuilder<Row, 'page'> {
  if (batches.kind === 'per_item') return rows.limit(limit).as('page');
  const longest = rows.limit(LONGEST).as('longest');
  return queries
    .selectFrom(longest)
    .selectAll()
    .orderBy('longest.changed_at')
    .limit(limit)
    .as('page') as unknown as AliasedSelectQueryBuilder<Row, 'page'>;
}

/** Turns rows into a page. Rows and head come from one snapshot. */
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
