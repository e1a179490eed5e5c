import type { CompanyId, JobId, JobState } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { mergeRanges } from '../merged-ranges.js';
import { type AgeParams, OLDEST_FIRST } from '../pages.js';
import type { Preparation } from '../preparation.js';
import { define, type Param } from '../statement.js';

interface PageParams extends AgeParams<JobId> {
  readonly companyId: CompanyId;
  readonly state: JobState;
}

/** The states that the table allows. A page of any state merges one range of the index for each. */
const STATES = ['open', 'closed', 'archived'] as const satisfies JobState[];

/** The queries that list or count the jobs of one company. */
export function defineJobPages(preparation: Preparation) {
  const ofCompany = (param: Param<PageParams>) =>
    preparation.queries
      .selectFrom('ph_job')
      .selectAll()
      .where('company_id', '=', param('companyId'))
      .where((eb) =>
        eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(param('createdAt'), param('id') as never)),
      );
  const page = define((param: Param<PageParams>) => {
    const lists = STATES.map((state) => ofCompany(param).where('state', '=', sql.lit(state)));
    return mergeRanges(preparation, lists, OLDEST_FIRST, param('limit'));
  });
  const pageInState = define((param: Param<PageParams>) =>
    mergeRanges(
      preparation,
      [ofCompany(param).where('state', '=', param('state'))],
      OLDEST_FIRST,
      param('limit'),
    ),
  );
  const counted = (param: Param<{ companyId: CompanyId }>) =>
    preparation.queries
      .selectFrom('ph_job')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('company_id', '=', param('companyId'));
  const count = define((param: Param<{ companyId: CompanyId }>) => counted(param));
  const countInState = define((param: Param<{ companyId: CompanyId; state: JobState }>) =>
    counted(param as Param<{ companyId: CompanyId }>).where('state', '=', param('state')),
  );
  return { page, pageInState, count, countInState };
}
