import { READ_ROUTES, type RequestRoute } from '../../domain/answered-request.js';
import type { KeyId } from '../../domain/ids.js';
import { isGiven } from '../../domain/optional.js';
import { WIRE_ERROR_CODES, WIRE_ERRORS, type WireErrorCode } from '../../domain/wire-errors.js';
import { assertNotCombined } from '../../operator/command/input.js';
import { definePageCursors, mergeNewest, type Page, readPage, scanPage } from '../../operator/page-cursor.js';
import type { Repositories } from '../../ports/storage.js';
import type { ListedRequest, RequestFilter, RequestReadFilter } from './find-request.js';
import { withCallersAndJobs } from './find-request.js';
import type { RequestPosition, RequestReadsPosition, RequestScope } from './repository.js';
import { hasFailedBy, type RequestReads, type RequestRecord } from './rules.js';

const CURSORS = definePageCursors<RequestPosition>('requests', { at: 'number', requestId: 'id' });

/** A page reads at most this many rows of the log, of which it may leave out many by their fields. */
export const MOST_SCANNED = 5_000;
/** The most rows that the storage returns at once. */
const ROWS_PER_READ = 1_000;

type Reading = Pick<Repositories, 'requests' | 'names' | 'keys' | 'jobs' | 'companies'>;

/**
 * Lists the requests of a filter. By key, application, job, code, or the status of an error, a page reads ranges of one index.
 * By a field, or by two of them, it reads such ranges and leaves rows out, until it has enough rows or has read `MOST_SCANNED`.
 * Such a page may be empty and still have a next page.
 */
export async function listRequests(read: Reading, filter: RequestFilter): Promise<Page<ListedRequest>> {
  const { keyId, partnerId, applicationId, jobId, status, code, field, fieldCode, since, until } = filter;
  assertNotCombined(
    { keyId, partnerId, applicationId },
    'Pass at most one of `keyId`, `partnerId` and `applicationId`, with or without the other filters.',
  );
  const isByFailure = [jobId, field, fieldCode].some(isGiven) || codesOf(filter) !== null;
  const onlyErrors = isByFailure || (filter.onlyErrors ?? false);
  const owner = [keyId, partnerId, applicationId];
  const chosen = [...owner, jobId, status, code, field, fieldCode, since, until, onlyErrors];
  const binding = chosen.map((value) => value ?? null);
  const { scopes, isKept } = await selectionOf(read, filter);
  const bounds = { onlyErrors, from: since ?? 0, until: until ?? null };
  const list = async (page: { readonly after: RequestPosition | null; readonly limit: number }) => {
    const lists = scopes.map((scope) => read.requests.list({ scope, ...bounds, ...page }));
    return mergeNewest(await Promise.all(lists), ({ requestId }) => requestId).slice(0, page.limit);
  };
  const page =
    isKept === null
      ? await readPage(CURSORS, binding, filter, list)
      : await scanPage(CURSORS, binding, filter, { list, isKept, most: MOST_SCANNED, atOnce: ROWS_PER_READ });
  return { items: await withCallersAndJobs(read, page.items), nextCursor: page.nextCursor };
}

interface Selection {
  /** A range of an index for each. */
  readonly scopes: readonly (RequestScope | null)[];
  /** Chooses rows of the ranges. Null for all of them. */
  readonly isKept: ((request: RequestRecord) => boolean) | null;
}

async function selectionOf(read: Reading, filter: RequestFilter): Promise<Selection> {
  const { jobId, status, field, fieldCode } = filter;
  const owners = await findScopes(read, filter);
  const codes = codesOf(filter);
  // The refused submissions to a job are fewer than the requests of a key, and a code has more than either.
  const scopes = isGiven(jobId)
    ? [{ jobId }]
    : owners.includes(null) && codes !== null
      ? codes.map((code) => ({ code }))
      : owners;
  const tests: ((request: RequestRecord) => boolean)[] = [];
  if (scopes !== owners && !owners.includes(null))
    tests.push((request) => owners.some((scope) => isInScope(request, scope)));
  if (codes !== null && (isGiven(jobId) || scopes === owners))
    tests.push(({ code }) => codes.some((each) => each === code));
  if (codes === null && isGiven(status)) tests.push((request) => request.status === status);
  if (isGiven(field) || isGiven(fieldCode))
    tests.push((request) => hasFailedBy(request, field ?? undefined, fieldCode ?? undefined));
  return { scopes, isKept: tests.length === 0 ? null : (request) => tests.every((test) => test(request)) };
}

/** The lowest status of an error. */
const LEAST_ERROR = 400;

/** Returns the error codes that a filter selects. Null without a code and without the status of an error. */
function codesOf({ code, status }: RequestFilter): readonly WireErrorCode[] | null {
  if (!isGiven(code) && !(isGiven(status) && status >= LEAST_ERROR)) return null;
  const codes = isGiven(code) ? [code] : WIRE_ERROR_CODES;
  return isGiven(status) ? codes.filter((each) => WIRE_ERRORS[each].status === status) : codes;
}

function isInScope(request: RequestRecord, scope: RequestScope | null): boolean {
  if (scope === null) return true;
  if ('keyId' in scope) return request.keyId === scope.keyId;
  return 'applicationId' in scope && request.applicationId === scope.applicationId;
}

/** A partner has at most one key in each environment. */
async function findScopes(
  { keys }: Pick<Repositories, 'keys'>,
  { keyId, partnerId, applicationId }: RequestFilter,
): Promise<readonly (RequestScope | null)[]> {
  if (isGiven(partnerId)) {
    const owned = await keys.list(partnerId);
    return owned.map(({ id }) => ({ keyId: id }));
  }
  if (isGiven(keyId)) return [{ keyId }];
  return isGiven(applicationId) ? [{ applicationId }] : [null];
}

const READS_CURSORS = definePageCursors<RequestReadsPosition>('reads', {
  minute: 'number',
  route: (given) => READ_ROUTES.includes(given as RequestRoute),
});

export async function listReads(
  { requests }: Pick<Repositories, 'requests'>,
  { keyId, onlyLast = false, ...page }: RequestReadFilter,
): Promise<Page<RequestReads>> {
  return readPage(READS_CURSORS, [keyId, onlyLast], page, ({ after, limit }) =>
    onlyLast ? findLastReads(requests, keyId, after) : requests.listReads({ keyId, after, limit }),
  );
}

/** Returns the last counter of each list, in the order of the routes. */
async function findLastReads(
  requests: Repositories['requests'],
  keyId: KeyId,
  after: RequestReadsPosition | null,
): Promise<readonly RequestReads[]> {
  const routes = after === null ? READ_ROUTES : READ_ROUTES.slice(READ_ROUTES.indexOf(after.route) + 1);
  const found = await Promise.all(routes.map((route) => requests.findLastReads(keyId, route)));
  return found.filter((reads) => reads !== null);
}
