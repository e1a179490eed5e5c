import type {
  ApplicationId,
  Instant,
  KeyId,
  Repositories,
  RequestRoute,
  RequestScope,
} from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { NO_ID } from '../../feed-page.js';
import { prepareFind } from '../../look-ups.js';
import { beyond, mergeRanges } from '../../merged-ranges.js';
import type { Preparation, Prepare } from '../../preparation.js';
import { define, type Param } from '../../statement.js';
import { REQUEST_READS, REQUESTS } from './table.js';

interface ListParams {
  readonly scope: string;
  readonly from: Instant;
  readonly at: Instant;
  readonly requestId: string;
  readonly limit: number;
}

type ScopeColumn = 'key_id' | 'application_id' | 'job_id' | 'code';

const NEWEST_FIRST = { columns: ['at', 'request_id'], direction: 'desc' } as const;

export const prepareListRequests: Prepare<Pick<Repositories['requests'], 'find' | 'findOldest' | 'list'>> = (
  preparation,
) => {
  const { queries } = preparation;
  const all = queries.selectFrom('ph_request').selectAll();
  const findOldest = define((param: Param<{ applicationId: ApplicationId }>) =>
    all
      .where('application_id', '=', param('applicationId'))
      .where('is_error', '=', sql.lit(0))
      .orderBy('at')
      .orderBy('request_id')
      .limit(sql.lit(1)),
  );
  const listsOf = (column: ScopeColumn | null) => ({
    errors: defineList(preparation, column, [1]),
    all: defineList(preparation, column, [0, 1]),
  });
  const lists = {
    all: listsOf(null),
    key_id: listsOf('key_id'),
    application_id: listsOf('application_id'),
    job_id: listsOf('job_id'),
    code: listsOf('code'),
  };

  return {
    find: prepareFind(preparation, REQUESTS, 'request_id'),
    findOldest: (session, applicationId) =>
      session.read((run) => run.one(findOldest, { applicationId }, REQUESTS.toValue)),
    list: (session, { scope, onlyErrors, from, until, after, limit }) =>
      session.read(async (run) => {
        const [column, value] = columnOf(scope);
        const { errors, all: any } = lists[column ?? 'all'];
        // No request id comes before the empty one, so `until` is exclusive.
        const { at, requestId } = after ?? { at: until ?? Number.MAX_SAFE_INTEGER, requestId: '' };
        const values = { scope: value, from, at, requestId, limit };
        return run.list(onlyErrors ? errors : any, values, REQUESTS.toValue);
      }),
  };
};

function columnOf(scope: RequestScope | null): readonly [ScopeColumn | null, string] {
  if (scope === null) return [null, ''];
  if ('keyId' in scope) return ['key_id', scope.keyId];
  if ('code' in scope) return ['code', scope.code];
  return 'jobId' in scope ? ['job_id', scope.jobId] : ['application_id', scope.applicationId];
}

/** Merges a range for each kind of request, so that a list of errors does not read the others. */
function defineList(preparation: Preparation, column: ScopeColumn | null, kinds: readonly (0 | 1)[]) {
  return define((param: Param<ListParams>) => {
    const rows = preparation.queries
      .selectFrom('ph_request')
      .selectAll()
      .where('at', '>=', param('from'))
      .where(beyond('<', { at: param('at'), request_id: param('requestId') }));
    const inScope = column === null ? rows : rows.where(column, '=', param('scope') as never);
    const ranges = kinds.map((kind) => inScope.where('is_error', '=', sql.lit(kind)));
    return mergeRanges(preparation, ranges, NEWEST_FIRST, param('limit'));
  });
}

interface ReadsParams {
  readonly keyId: KeyId;
  readonly minute: Instant;
  readonly route: RequestRoute;
  readonly limit: number;
}

interface CoveringParams {
  readonly keyId: KeyId;
  readonly route: RequestRoute;
  readonly changedAt: Instant;
  readonly from: Instant;
}

/**
 * Longer than the clocks of two processes differ. The minute of a read comes from the clock of a process, but the
 * instant of a change comes from the feed.
 */
const CLOCKS_DIFFER_BY_MS = 600_000;

const ROUTES: readonly RequestRoute[] = ['/applications', '/applications/{id}', '/events', '/jobs'];
const NEWEST_READS_FIRST = { columns: ['minute', 'route'], direction: 'desc' } as const;

type ReadMethods = 'findLastReads' | 'findCoveringReads' | 'listReads';

export const prepareListReads: Prepare<Pick<Repositories['requests'], ReadMethods>> = (preparation) => {
  const { queries } = preparation;
  const all = queries.selectFrom('ph_request_read').selectAll();
  const findLast = define((param: Param<{ keyId: KeyId; route: RequestRoute }>) =>
    all
      .where('key_id', '=', param('keyId'))
      .where('route', '=', param('route'))
      .orderBy('minute', 'desc')
      .limit(sql.lit(1)),
  );
  const findCovering = define((param: Param<CoveringParams>) =>
    all
      .where('key_id', '=', param('keyId'))
      .where('route', '=', param('route'))
      .where('minute', '>=', param('from'))
      .where('read_after', '<', param('changedAt'))
      .where('read_through', '>=', param('changedAt'))
      .orderBy('minute')
      .limit(sql.lit(1)),
  );
  const list = define((param: Param<ReadsParams>) => {
    const ranges = ROUTES.map((route) =>
      all
        .where('key_id', '=', param('keyId'))
        .where('route', '=', sql.lit(route))
        .where(beyond('<', { minute: param('minute'), route: param('route') })),
    );
    return mergeRanges(preparation, ranges, NEWEST_READS_FIRST, param('limit'));
  });

  return {
    findLastReads: (session, keyId, route) =>
      session.read((run) => run.one(findLast, { keyId, route }, REQUEST_READS.toValue)),
    findCoveringReads: (session, keyId, route, changedAt) =>
      session.read((run) => {
        const from = changedAt - CLOCKS_DIFFER_BY_MS;
        return run.one(findCovering, { keyId, route, changedAt, from }, REQUEST_READS.toValue);
      }),
    listReads: (session, { keyId, after, limit }) =>
      session.read(async (run) => {
        const { minute, route } = after ?? { minute: Number.MAX_SAFE_INTEGER, route: NO_ID };
        return run.list(list, { keyId, minute, route, limit }, REQUEST_READS.toValue);
      }),
  };
};
