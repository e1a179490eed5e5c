import {
  encodeCursor,
  type FeedPage,
  type ListName,
  type ListQuery,
  PAGE_LIMIT,
  startsAfter,
  updatedThrough,
} from '../../domain/page.js';
import type { RateState } from '../../domain/rate-limit.js';
import { type Instant, toIso } from '../../domain/time.js';
import { validationError } from '../../errors.js';
import type { PartnerApi } from '../../partner/partner-api.js';
import { readListQuery } from '../list-query.js';
import type { WorkOnLongPage } from '../long-pages.js';
import { type Call, type Outcome, type Route, refused } from '../route.js';
import { serializeApplications, serializeJobs } from '../wire.js';

interface ListDefinition<Row> {
  readonly list: ListName;
  page(query: ListQuery): Promise<FeedPage<Row>>;
  serialize(rows: readonly Row[], nextCursor: string | null): string;
  readonly workOnLongPage: WorkOnLongPage;
}

/** Contract: 5.1. */
export function createGetJobs(partner: Pick<PartnerApi, 'listJobs'>, workOnLongPage: WorkOnLongPage): Route {
  return listRoute({ list: 'jobs', page: partner.listJobs, serialize: serializeJobs, workOnLongPage });
}

/** Contract: 5.2. */
export function createGetApplications(
  partner: Pick<PartnerApi, 'listApplications'>,
  workOnLongPage: WorkOnLongPage,
): Route {
  const serialize = serializeApplications;
  return listRoute({ list: 'applications', page: partner.listApplications, serialize, workOnLongPage });
}

function listRoute<Row extends { readonly changedAt: Instant }>(definition: ListDefinition<Row>): Route {
  return { bucket: `list_${definition.list}`, run: (call) => answerList(definition, call) };
}

async function answerList<Row extends { readonly changedAt: Instant }>(
  definition: ListDefinition<Row>,
  { key, query: text, rate }: Call,
): Promise<Outcome> {
  const result = readListQuery(definition.list, key.id, text);
  if (result.kind === 'invalid') return refused(validationError(result.errors), rate);

  const { query } = result;
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
  const through = updatedThrough(page, (row) => row.changedAt);
  return {
    kind: 'answered',
    status: 200,
    body: serialize(page.rows, nextCursor),
    rate,
    headers: { 'X-Updated-Through': toIso(through) },
    readRange: coversAll(query, through) ? { after: startsAfter(query), through } : undefined,
    listedBy: { hasCursor: query.after !== null, hasUpdatedSince: query.updatedSince !== null },
  };
}

/**
 * Returns whether the page contains every change of its range. It does not if a filter leaves changes out, or if
 * `updated_since` lies in the future.
 */
function coversAll(query: ListQuery, through: Instant): boolean {
  const isFiltered = query.companyId !== null || (query.status !== null && query.status !== 'open');
  return !isFiltered && startsAfter(query) <= through;
}
