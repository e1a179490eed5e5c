import type { KeyId, PartnerId } from '../../domain/ids.js';
import {
  READ_ROUTES,
  type RequestReads,
  type RequestRecord,
  type RequestRoute,
} from '../../domain/request-log.js';
import type {
  RequestListPage,
  RequestPosition,
  RequestReadsPosition,
  RequestScope,
} from '../../ports/repositories/requests.js';
import type { Repositories } from '../../ports/storage.js';
import { assertNotCombined } from '../command/input.js';
import { definePageCursors, isCursorId, isCursorNumber, type Page, readPage } from '../page-cursor.js';
import type { LoggedRequest, RequestFilter, RequestReadFilter } from './find-request.js';
import { withCallers } from './find-request.js';

const CURSORS = definePageCursors<RequestPosition>({
  list: 'requests',
  valuesOf: ({ at, requestId }) => [at, requestId],
  positionOf: ([at, requestId]) =>
    isCursorNumber(at) && isCursorId<string>(requestId) ? { at, requestId } : null,
});

/** Lists the requests of a filter. */
export async function listRequests(
  read: Pick<Repositories, 'requests' | 'names' | 'keys'>,
  filter: RequestFilter,
): Promise<Page<LoggedRequest>> {
  const { keyId, partnerId, applicationId, since, until, onlyErrors = false } = filter;
  assertNotCombined(
    { keyId, partnerId, applicationId },
    'Pass at most one of `keyId`, `partnerId` and `applicationId`, with or without `since`, `until` and `onlyErrors`.',
  );
  const binding = [keyId, partnerId, applicationId, since, until, onlyErrors].map((value) => value ?? null);
  const scopes = await findScopes(read, filter);
  const { items: rows, nextCursor } = await readPage(CURSORS, binding, filter, async ({ after, limit }) => {
    const page = { onlyErrors, from: since ?? 0, until: until ?? null, after, limit };
    return mergeNewest(
      await Promise.all(scopes.map((scope) => read.requests.list({ scope, ...page }))),
      page,
    );
  });
  return { items: await withCallers(read, rows), nextCursor };
}

/** A partner has at most one key in each environment. */
async function findScopes(
  { keys }: Pick<Repositories, 'keys'>,
  { keyId, partnerId, applicationId }: RequestFilter,
): Promise<readonly (RequestScope | null)[]> {
  if ((partnerId ?? undefined) !== undefined) {
    const owned = await keys.list(partnerId as PartnerId);
    return owned.map(({ id }) => ({ keyId: id }));
  }
  if ((keyId ?? undefined) !== undefined) return [{ keyId: keyId as KeyId }];
  return (applicationId ?? undefined) === undefined ? [null] : [{ applicationId } as RequestScope];
}

/**
 * Merges lists that are newest first. Each has at most `limit` rows, so the newest `limit` rows of all are among them.
 */
function mergeNewest(
  lists: readonly (readonly RequestRecord[])[],
  { limit }: Pick<RequestListPage, 'limit'>,
): readonly RequestRecord[] {
  const [only = [], ...others] = lists;
  if (others.length === 0) return only;
  return lists.flat().sort(newestFirst).slice(0, limit);
}

function newestFirst(first: RequestRecord, second: RequestRecord): number {
  if (first.at !== second.at) return second.at - first.at;
  return first.requestId < second.requestId ? 1 : -1;
}

const READS_CURSORS = definePageCursors<RequestReadsPosition>({
  list: 'reads',
  valuesOf: ({ minute, route }) => [minute, route],
  positionOf: ([minute, route]) =>
    isCursorNumber(minute) && READ_ROUTES.includes(route as RequestRoute)
      ? { minute, route: route as RequestRoute }
      : null,
});

/** Lists the counters of a key's reads. */
export async function listReads(
  { requests }: Pick<Repositories, 'requests'>,
  { keyId, ...page }: RequestReadFilter,
): Promise<Page<RequestReads>> {
  return readPage(READS_CURSORS, [keyId], page, ({ after, limit }) =>
    requests.listReads({ keyId, after, limit }),
  );
}

/** Returns the last counter of each list. */
export async function findLastReads(
  { requests }: Pick<Repositories, 'requests'>,
  keyId: KeyId,
): Promise<readonly RequestReads[]> {
  const found = await Promise.all(READ_ROUTES.map((route) => requests.findLastReads(keyId, route)));
  return found.filter((reads) => reads !== null);
}
