import { type Answer, requestIdOf } from './answer.js';
import { PartnerConnectionError } from './errors.js';
import { answerOf, type Execute } from './execute.js';
import { isRecord } from './is-record.js';
import type { Route } from './route.js';

/** One page of a list. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
  /** The instant through which what was read so far is complete; null if the service does not say. */
  readonly updatedThrough: string | null;
  readonly requestId: string | null;
}

/**
 * A list as it is read, page after page as they are needed: `for await (const job of listing)`, or the pages
 * themselves. A row that changes meanwhile may come twice, none is left out: insert or update by `id`. Each
 * iteration reads anew.
 *
 * @throws PartnerApiError, PartnerConnectionError in the midst of it.
 */
export interface Listing<Row> extends AsyncIterable<Row> {
  pages(): AsyncIterable<Page<Row>>;
}

/** What narrows a list. */
export interface ListOptions {
  /** Only what changed strictly after this instant, to the millisecond. */
  readonly updatedSince?: string | Date;
  /** Only of this company. One without access gives nothing. */
  readonly companyId?: string;
  /** Rows in a page, 200 unless given, which is also the most. */
  readonly limit?: number;
  /** Where to go on: a page's `nextCursor`, with the same filters. */
  readonly cursor?: string;
  readonly signal?: AbortSignal;
}

/** Which list, and with which filter of its own. */
export interface ListTarget<Row> {
  readonly path: '/jobs' | '/applications';
  readonly route: Route;
  readonly status?: string | undefined;
  /** Told of each row that comes. */
  readonly onRow?: (row: Row) => void;
}

/** Fewer requests for the same rows. Spec: Limits, rule 3. */
const MAX_PAGE = 200;

/** A list of the service, to be iterated. */
export function createListing<Row>(
  execute: Execute,
  target: ListTarget<Row>,
  options: ListOptions = {},
): Listing<Row> {
  async function* pages(): AsyncGenerator<Page<Row>> {
    let cursor = options.cursor ?? null;
    for (;;) {
      const page = await readPage<Row>(execute, target, options, cursor);
      for (const row of page.rows) target.onRow?.(row);
      yield page;
      if (page.nextCursor === null) return;
      if (page.nextCursor === cursor) throw new PartnerConnectionError('invalid_answer', GOES_NOWHERE);
      cursor = page.nextCursor;
    }
  }
  async function* rows(): AsyncGenerator<Row> {
    for await (const page of pages()) yield* page.rows;
  }
  return { pages, [Symbol.asyncIterator]: rows };
}

const GOES_NOWHERE = 'The list does not end: a page names itself as the next one.';

async function readPage<Row>(
  execute: Execute,
  { path, route, status }: ListTarget<Row>,
  options: ListOptions,
  cursor: string | null,
): Promise<Page<Row>> {
  const { updatedSince, companyId, limit = MAX_PAGE, signal } = options;
  const query = new URLSearchParams({ limit: String(limit) });
  if (updatedSince !== undefined) query.set('updated_since', serializeInstant(updatedSince));
  if (companyId !== undefined) query.set('company_id', companyId);
  if (status !== undefined) query.set('status', status);
  if (cursor !== null) query.set('cursor', cursor);
  const request = { method: 'GET', path: `${path}?${query}`, route, isExpected: isPage, signal } as const;
  const answer = answerOf(await execute(request));
  const body = answer.json as { readonly data: readonly Row[]; readonly next_cursor?: string | null };
  return {
    rows: body.data,
    nextCursor: body.next_cursor ?? null,
    updatedThrough: answer.headers.get('x-updated-through'),
    requestId: requestIdOf(answer),
  };
}

function serializeInstant(instant: string | Date): string {
  return typeof instant === 'string' ? instant : instant.toISOString();
}

function isPage({ json }: Answer): boolean {
  if (!isRecord(json) || !Array.isArray(json.data)) return false;
  return json.data.every((row) => isRecord(row) && typeof row.id === 'string');
}
