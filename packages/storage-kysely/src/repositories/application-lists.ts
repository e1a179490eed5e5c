import {
  type ApplicationId,
  type ApplicationRepository,
  type ApplicationScope,
  type ApplicationStatus,
  type Instant,
  type KeyId,
  lastNameKey,
  UNDECIDED_STATUSES,
  type UndecidedStatus,
} from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineUpdate } from '../batch.js';
import { NO_ID } from '../feed-page.js';
import { beyond, defineMerged, mergeRanges } from '../merged-ranges.js';
import type { Preparation, Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';
import { APPLICATIONS } from '../tables/index.js';
import { inEachStatus } from './application-rows.js';

type ListMethods =
  | 'listNewest'
  | 'listChanges'
  | 'listBySourceId'
  | 'listErased'
  | 'listByLastName'
  | 'listUnchanged'
  | 'listFailedResumes'
  | 'fillLastNameKeys';

/** The host's look-ups. Each reads ranges of one index, in order, up to the limit. */
export const prepareApplicationLists: Prepare<Pick<ApplicationRepository, ListMethods>> = (preparation) => ({
  ...prepareNewest(preparation),
  ...prepareLookUps(preparation),
  ...prepareByLastName(preparation),
  ...prepareWaitingApplications(preparation),
  ...prepareFillLastNameKeys(preparation),
});

interface NewestParams {
  readonly scope: string;
  readonly status: ApplicationStatus;
  readonly from: Instant;
  readonly submittedAt: Instant;
  readonly id: ApplicationId;
  readonly limit: number;
}

const NEWEST_FIRST = { columns: ['submitted_at', 'id'], direction: 'desc' } as const;
const START = { submittedAt: Number.MAX_SAFE_INTEGER, id: NO_ID } as const;

type ScopeColumn = 'key_id' | 'company_id' | 'job_id';

const prepareNewest: Prepare<Pick<ApplicationRepository, 'listNewest'>> = (preparation) => {
  const ofAll = defineNewest(preparation, null);
  const ofScope = (column: ScopeColumn) => ({
    inStatus: defineNewest(preparation, column, 'one status'),
    inAny: defineNewest(preparation, column, 'any status'),
  });
  const lists = {
    key_id: ofScope('key_id'),
    company_id: ofScope('company_id'),
    job_id: ofScope('job_id'),
  };

  return {
    listNewest: (session, { scope, status = null, from = 0, after, limit }) =>
      session.read(async (run) => {
        const { submittedAt, id } = after ?? START;
        const [column, value] = columnOf(scope);
        const ofColumn = column === null ? null : lists[column];
        const inScope = status === null ? ofColumn?.inAny : ofColumn?.inStatus;
        const values = { scope: value, status: status ?? 'received', from, submittedAt, id, limit };
        return run.list(inScope ?? ofAll, values, APPLICATIONS.toValue);
      }),
  };
};

function columnOf(scope: ApplicationScope | null): readonly [ScopeColumn | null, string] {
  if (scope === null) return [null, ''];
  if ('keyId' in scope) return ['key_id', scope.keyId];
  return 'companyId' in scope ? ['company_id', scope.companyId] : ['job_id', scope.jobId];
}

function defineNewest(
  preparation: Preparation,
  column: ScopeColumn | null,
  statuses: 'one status' | 'any status' = 'any status',
) {
  const { queries } = preparation;
  return define((param: Param<NewestParams>) => {
    const rows = queries
      .selectFrom('ph_application')
      .selectAll()
      .where('submitted_at', '>=', param('from'))
      .where(beyond('<', { submitted_at: param('submittedAt'), id: param('id') }));
    if (column === null) return mergeRanges(preparation, [rows], NEWEST_FIRST, param('limit'));
    const inScope = rows.where(column, '=', param('scope') as never);
    const lists =
      statuses === 'one status' ? [inScope.where('status', '=', param('status'))] : inEachStatus(inScope);
    return mergeRanges(preparation, lists, NEWEST_FIRST, param('limit'));
  });
}

const prepareLookUps: Prepare<
  Pick<ApplicationRepository, 'listChanges' | 'listBySourceId' | 'listErased'>
> = (preparation) => {
  const { queries } = preparation;
  const all = queries.selectFrom('ph_application').selectAll();
  const changes = defineMerged(
    preparation,
    { columns: ['changed_at'], direction: 'asc' },
    (param: Param<{ keyId: KeyId; after: Instant; limit: number }>) =>
      inEachStatus(all.where('key_id', '=', param('keyId')).where('changed_at', '>', param('after'))),
  );
  const bySourceId = defineMerged(
    preparation,
    { columns: ['key_id'], direction: 'asc' },
    (param: Param<{ sourceId: string; after: KeyId; limit: number }>) => [
      all.where('source_application_id', '=', param('sourceId')).where('key_id', '>', param('after')),
    ],
  );

  const erased = defineMerged(
    preparation,
    { columns: ['erased_at', 'id'], direction: 'asc' },
    (param: Param<{ erasedAt: Instant; id: ApplicationId; limit: number }>) => [
      // The index contains only erased applications. This condition is needed, because the databases do not derive it
      // from the comparison of two columns.
      all
        .where('erased_at', 'is not', null)
        .where(beyond('>', { erased_at: param('erasedAt'), id: param('id') })),
    ],
  );

  return {
    listErased: (session, { from, after, limit }) =>
      session.read(async (run) => {
        // No id is before the empty text.
        const { erasedAt, id } = after ?? { erasedAt: from, id: NO_ID };
        return run.list(erased, { erasedAt, id, limit }, APPLICATIONS.toValue);
      }),
    listChanges: (session, filter) => session.read((run) => run.list(changes, filter, APPLICATIONS.toValue)),
    listBySourceId: (session, { sourceApplicationId, after, limit }) =>
      session.read(async (run) => {
        const values = { sourceId: sourceApplicationId, after: after ?? NO_ID, limit };
        return run.list(bySourceId, values, APPLICATIONS.toValue);
      }),
  };
};

interface LastNameParams {
  readonly from: string;
  readonly before: string;
  readonly after: ApplicationId;
  readonly limit: number;
}

const BY_LAST_NAME = { columns: ['last_name_key', 'id'], direction: 'asc' } as const;

const prepareByLastName: Prepare<Pick<ApplicationRepository, 'listByLastName'>> = (preparation) => {
  const { queries } = preparation;
  const before = (param: Param<Pick<LastNameParams, 'before'>>) =>
    queries.selectFrom('ph_application').selectAll().where('last_name_key', '<', param('before'));
  const list = defineMerged(preparation, BY_LAST_NAME, (param: Param<LastNameParams>) =>
    inEachStatus(before(param).where('last_name_key', '>=', param('from'))),
  );
  const findAnchor = define((param: Param<LastNameParams>) =>
    queries
      .selectFrom('ph_application as anchor')
      .select('anchor.last_name_key')
      .where('anchor.id', '=', param('after'))
      .where('anchor.last_name_key', '>=', param('from'))
      .where('anchor.last_name_key', '<', param('before')),
  );
  // The anchor has a statement of its own: as a sub-select of each range, it would nearly double the time of a page.
  const listAfter = defineMerged(
    preparation,
    BY_LAST_NAME,
    (param: Param<LastNameParams & { anchorKey: string }>) =>
      inEachStatus(
        // The anchor is in the range, so a comparison with `from` is not needed. It would make SQLite read each page
        // from the first row of the range.
        before(param).where(beyond('>', { last_name_key: param('anchorKey'), id: param('after') })),
      ),
  );

  return {
    listByLastName: (session, { range, after, anchorKey: knownKey, limit }) =>
      session.read(async (run) => {
        const values = { ...range, after: after ?? ('' as ApplicationId), limit };
        if (!after) return run.list(list, values, APPLICATIONS.toValue);
        if (knownKey !== undefined) {
          return run.list(listAfter, { ...values, anchorKey: knownKey }, APPLICATIONS.toValue);
        }
        const anchor = await run.first(findAnchor, values);
        // If the application is no longer in the range, the page is empty.
        const anchorKey = anchor?.last_name_key ?? range.before;
        const rows = await run.all(listAfter, { ...values, anchorKey });
        return anchor === null ? null : rows.map(APPLICATIONS.toValue);
      }),
  };
};

const prepareFillLastNameKeys: Prepare<Pick<ApplicationRepository, 'fillLastNameKeys'>> = (preparation) => {
  const { queries } = preparation;
  const find = defineMerged(preparation, BY_LAST_NAME, (_: Param<{ limit: number }>) =>
    inEachStatus(
      queries
        .selectFrom('ph_application')
        .select(['id', 'last_name', 'last_name_key'])
        .where('last_name_key', 'is', null),
    ),
  );
  const fill = defineUpdate(preparation, {
    table: APPLICATIONS.pick('id', 'last_name', 'last_name_key'),
    // The name may have been erased meanwhile.
    by: ['id', 'last_name'],
  });

  return {
    fillLastNameKeys: async (session, limit) => {
      const rows = await session.read((run) => run.all(find, { limit }));
      const filled = rows.map((row) => ({ ...row, last_name_key: lastNameKey(row.last_name) }));
      if (filled.length > 0) await session.write((run) => run.batch(fill, filled, {}));
      return filled.length;
    },
  };
};

const LONGEST_UNCHANGED = { columns: ['changed_at', 'id'], direction: 'asc' } as const;
const NEWEST_FAILURE = { columns: ['resume_failed_at', 'id'], direction: 'desc' } as const;
const FIRST = { changedAt: 0, id: NO_ID } as const;
const LAST = { failedAt: Number.MAX_SAFE_INTEGER, id: NO_ID } as const;

/** Lists applications that wait for the host, over all keys. Each list reads a range of one partial index for each status. */
const prepareWaitingApplications: Prepare<
  Pick<ApplicationRepository, 'listUnchanged' | 'listFailedResumes'>
> = (preparation) => {
  const lists = {
    any: defineUnchanged(preparation, UNDECIDED_STATUSES),
    received: defineUnchanged(preparation, ['received']),
    in_progress: defineUnchanged(preparation, ['in_progress']),
  };
  const failed = define((param: Param<{ failedAt: Instant; id: ApplicationId; limit: number }>) => {
    const rows = preparation.queries
      .selectFrom('ph_application')
      .selectAll()
      .where('resume_failed_at', 'is not', null)
      .where(beyond('<', { resume_failed_at: param('failedAt'), id: param('id') }));
    const ranges = UNDECIDED_STATUSES.map((status) => rows.where('status', '=', sql.lit(status)));
    return mergeRanges(preparation, ranges, NEWEST_FAILURE, param('limit'));
  });

  return {
    listUnchanged: (session, { status, before, after, limit }) =>
      session.read(async (run) => {
        const { changedAt, id } = after ?? FIRST;
        return run.list(lists[status ?? 'any'], { before, changedAt, id, limit }, APPLICATIONS.toValue);
      }),
    listFailedResumes: (session, { after, limit }) =>
      session.read(async (run) => {
        const { failedAt, id } = after ?? LAST;
        return run.list(failed, { failedAt, id, limit }, APPLICATIONS.toValue);
      }),
  };
};

function defineUnchanged(preparation: Preparation, statuses: readonly UndecidedStatus[]) {
  return define((param: Param<{ before: Instant; changedAt: Instant; id: ApplicationId; limit: number }>) => {
    const rows = preparation.queries
      .selectFrom('ph_application')
      .selectAll()
      // Word for word the condition of the index: SQLite does not derive it from a single status.
      .where(
        'status',
        'in',
        UNDECIDED_STATUSES.map((status) => sql.lit(status)),
      )
      .where('erased_at', 'is', null)
      .where('changed_at', '<', param('before'))
      .where(beyond('>', { changed_at: param('changedAt'), id: param('id') }));
    const ranges = statuses.map((status) => rows.where('status', '=', sql.lit(status)));
    return mergeRanges(preparation, ranges, LONGEST_UNCHANGED, param('limit'));
  });
}
