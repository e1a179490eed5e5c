import { startsAfter } from '@partner-hiring/core';
import type {
  ApplicationStatus,
  CompanyId,
  FeedPage,
  Instant,
  KeyId,
  ListQuery,
} from '@partner-hiring/core/ports';

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
