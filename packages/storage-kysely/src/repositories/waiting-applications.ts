import {
  type ApplicationId,
  type ApplicationRepository,
  type Instant,
  UNDECIDED_STATUSES,
  type UndecidedStatus,
} from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { NO_ID } from '../feed-page.js';
import { beyond, mergeRanges } from '../merged-ranges.js';
import type { Preparation, Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';
import { APPLICATIONS } from '../tables/index.js';

const LONGEST_UNCHANGED = { columns: ['changed_at', 'id'], direction: 'asc' } as const;
const NEWEST_FAILURE = { columns: ['resume_failed_at', 'id'], direction: 'desc' } as const;
const FIRST = { changedAt: 0, id: NO_ID } as const;
const LAST = { failedAt: Number.MAX_SAFE_INTEGER, id: NO_ID } as const;

/** Lists applications that wait for the host, over all keys. Each list reads a range of one partial index for each status. */
export const prepareWaitingApplications: Prepare<
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
