import {
  encodeCursor,
  type FeedPage,
  type ListName,
  type ListQuery,
  PAGE_LIMIT,
  updatedThrough,
} from '../../domain/page.js';
import type { RateState } from '../../domain/rate-limit.js';
import { type Instant, toIso } from '../../domain/time.js';
import { validationError } from '../../errors.js';
import { readListQuery } from '../list-query.js';
import type { WorkOnLongPage } from '../long-pages.js';
import { type Call, type Outcome, refused } from '../route.js';

/** What differs between the lists. */
export interface ListDefinition<Row> {
  readonly list: ListName;
  page(query: ListQuery): Promise<FeedPage<Row>>;
  serialize(rows: readonly Row[], nextCursor: string | null): string;
  readonly workOnLongPage: WorkOnLongPage;
}

/** Answers a list request: query, page, reply. The reply says through which instant it is complete. */
export async function answerList<Row extends { readonly changedAt: Instant }>(
  definition: ListDefinition<Row>,
  { key, query: text, rate }: Call,
): Promise<Outcome> {
  const reading = readListQuery(definition.list, key.id, text);
  if (reading.kind === 'invalid') return refused(validationError(reading.errors), rate);

  const { query } = reading;
  const answer = () => answerPage(definition, query, rate);
  return query.limit > PAGE_LIMIT.default ? definition.workOnLongPage(key.id, answer) : answer();
}

async function answerPage<Row extends { readonly changedAt: Instant }>(
  { list, page: findPage, serialize }: ListDefinition<Row>,
  query: ListQuery,
  rate: RateState,
): Promise<Outcome> {
  const page = await findPage(query);
  const last = page.rows.at(-1);
  const nextCursor = page.hasMore && last !== undefined ? encodeCursor(list, query, last.changedAt) : null;
  return {
    kind: 'answered',
    status: 200,
    body: serialize(page.rows, nextCursor),
    rate,
    headers: { 'X-Updated-Through': toIso(updatedThrough(page, (row) => row.changedAt)) },
  };
}
