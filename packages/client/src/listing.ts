import { type Answer, requestIdOf } from './answer.js';
import { type CallOptions, readCall } from './call-options.js';
import { PartnerConnectionError } from './errors.js';
import { answerOf, type Execute } from './execute.js';
import { isDate, isRecord, refuse } from './json.js';
import type { Route } from './traffic/bucket-queues.js';
import { nameOf, problemWith, type Shape, TEXT_OR_NULL } from './wire-shapes.js';

/** One page of a list. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
  /** The pages so far are complete up to this instant; null if unknown. */
  readonly updatedThrough: string | null;
  readonly requestId: string | null;
}

/**
 * A list that fetches pages as the loop needs them. A row that changes meanwhile may come twice; no row is
 * skipped. Each iteration starts from the beginning.
 * @throws PartnerApiError or PartnerConnectionError while iterating. The latter also if the pages do not end.
 * @example
 * for await (const page of client.jobs.list({ companyId: 'co_1' }).pages()) {
 *   console.log(page.rows.length, page.updatedThrough);
 * }
 */
export interface Listing<Row> extends AsyncIterable<Row> {
  pages(): AsyncIterable<Page<Row>>;
  /** Fetches all pages. A long list needs the memory. */
  toArray(): Promise<Row[]>;
}

/** Filters and paging of a list. */
export interface ListOptions extends CallOptions {
  /** Only rows that changed after this instant, to the millisecond. Text needs `Z` or an offset, such as `+0100`. */
  readonly updatedSince?: string | Date | undefined;
  /** Only rows of this company. The list is empty if your key has no access to the company. */
  readonly companyId?: string | undefined;
  /** Rows per page: at most 200, the default. */
  readonly limit?: number | undefined;
  /** A page's `nextCursor`. Use the same filters. */
  readonly cursor?: string | undefined;
}

export interface ListTarget<Row> {
  readonly path: '/jobs' | '/applications' | '/events' | '/webhook-endpoint/deliveries';
  readonly route: Route;
  /** The shape of a row. */
  readonly shape: Shape;
  /** Filters that only this list has. Undefined ones are not sent. */
  readonly filters?: Readonly<Record<string, string | undefined>>;
  readonly onRow?: (row: Row) => void;
}

/** Large pages save requests. Contract: 5.5. */
const MAX_PAGE = 200;
/** The service sends few empty pages before the last one. The limit only ends a listing that would never end. */
const MAX_EMPTY_PAGES = 100;

export function createListing<Row>(
  execute: Execute,
  target: ListTarget<Row>,
  given: ListOptions = {},
): Listing<Row> {
  // A copy, because the caller may change what it has passed.
  const { updatedSince } = given;
  const call = readCall(given);
  const options = { ...given, updatedSince: isDate(updatedSince) ? new Date(updatedSince) : updatedSince };
  async function* pages(): AsyncGenerator<Page<Row>> {
    let cursor = options.cursor ?? null;
    let emptyPages = 0;
    const seen = new Set<string>(cursor === null ? [] : [cursor]);
    for (;;) {
      const page = await readPage<Row>(execute, target, { ...options, call }, cursor);
      for (const row of page.rows) target.onRow?.(row);
      yield page;
      cursor = page.nextCursor;
      if (cursor === null) return;
      emptyPages = page.rows.length === 0 ? emptyPages + 1 : 0;
      if (emptyPages === MAX_EMPTY_PAGES) throw endless(`${emptyPages} pages in a row are empty`, page);
      if (seen.has(cursor)) throw endless('its pages lead back to an earlier page', page);
      seen.add(cursor);
    }
  }
  async function* rows(): AsyncGenerator<Row> {
    for await (const page of pages()) yield* page.rows;
  }
  async function toArray(): Promise<Row[]> {
    const all: Row[] = [];
    for await (const row of rows()) all.push(row);
    return all;
  }
  return { pages, toArray, [Symbol.asyncIterator]: rows };
}

function endless<Row>(why: string, { requestId }: Page<Row>): PartnerConnectionError {
  const message = `The list does not end: ${why}.`;
  return new PartnerConnectionError('invalid_answer', message, { requestId });
}

async function readPage<Row>(
  execute: Execute,
  { path, route, shape, filters = {} }: ListTarget<Row>,
  options: ListOptions & { readonly call: CallOptions },
  cursor: string | null,
): Promise<Page<Row>> {
  const { updatedSince, companyId, limit = MAX_PAGE, call } = options;
  const query = new URLSearchParams({ limit: String(limit) });
  if (updatedSince !== undefined) query.set('updated_since', serializeInstant('updatedSince', updatedSince));
  if (companyId !== undefined) query.set('company_id', companyId);
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.set(name, value);
  if (cursor !== null) query.set('cursor', cursor);
  const problemOf = ({ json }: Answer) => problemWithPage(json, shape);
  const request = { method: 'GET', path: `${path}?${query}`, route, problemOf, call } as const;
  const answer = answerOf(await execute(request));
  const body = answer.json as { readonly data: readonly Row[]; readonly next_cursor?: string | null };
  return {
    rows: body.data,
    nextCursor: body.next_cursor ?? null,
    updatedThrough: answer.headers.get('x-updated-through'),
    requestId: requestIdOf(answer),
  };
}

export function serializeInstant(name: string, instant: string | Date): string {
  if (typeof instant === 'string') return instant;
  if (isDate(instant)) return instant.toISOString();
  refuse(`${name} must be text or a Date, but is ${nameOf(instant)}. Pass a Date.`);
}

function problemWithPage(page: unknown, shape: Shape): string | null {
  if (!isRecord(page)) return `the body must be an object, but is ${nameOf(page)}`;
  const { data, next_cursor: next = null } = page;
  if (!Array.isArray(data)) return `data must be a list, but is ${nameOf(data)}`;
  for (const [index, row] of data.entries()) {
    const problem = problemWith(row, shape, `row ${index + 1}`);
    if (problem !== null) return problem;
  }
  return problemWith(next, TEXT_OR_NULL, 'next_cursor');
}
