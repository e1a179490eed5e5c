import {
  encodeCursor,
  type FeedPage,
  type ListName,
  type ListQuery,
  updatedThrough,
} from '../../domain/page.js';
import { type Instant, toIso } from '../../domain/time.js';
import { validationError } from '../../errors.js';
import { readListQuery } from '../list-query.js';
import { type Call, type Outcome, refused } from '../route.js';

/** What differs between the lists. */
export interface ListDefinition<Row> {
  readonly list: ListName;
  page(query: ListQuery): Promise<FeedPage<Row>>;
  spell(rows: readonly Row[], nextCursor: string | null): string;
}

/** Answers a list request: query, page, reply. The reply says through which instant it is complete. */
export async function answerList<Row extends { readonly changedAt: Instant }>(
  { list, page: findPage, spell }: ListDefinition<Row>,
  { key, query: text, rate }: Call,
): Promise<Outcome> {
  const reading = readListQuery(list, key.id, text);
  if (reading.kind === 'invalid') return refused(validationError(reading.errors), rate);

  const { query } = reading;
  const page = await findPage(query);
  const last = page.rows.at(-1);
  const nextCursor = page.hasMore && last !== undefined ? encodeCursor(list, query, last.changedAt) : null;
  return {
    kind: 'answered',
    status: 200,
    body: spell(page.rows, nextCursor),
    rate,
    headers: { 'X-Updated-Through': toIso(updatedThrough(page, (row) => row.changedAt)) },
  };
}
