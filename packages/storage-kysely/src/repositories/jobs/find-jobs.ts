import type { CompanyId, JobId, JobRepository, JobState } from '@partner-hiring/core/ports';
import type { JsonRows } from '../../dialect.js';
import { inOrder } from '../../in-order.js';
import type { Prepare } from '../../preparation.js';
import { define, type Param } from '../../statement.js';
import { toJob } from './job-rows.js';

/** Jobs by their ids, and those of a company. */
export const prepareFindJobs: Prepare<Pick<JobRepository, 'find' | 'listOfCompany'>> = ({
  queries,
  items,
}) => {
  const find = define((param: Param<{ rows: JsonRows<{ id: JobId }> }>) =>
    queries
      .selectFrom(items(param('rows'), { id: 'text' }))
      .innerJoin('ph_job as job', 'job.id', 'item.id')
      .selectAll('job'),
  );
  const listOfCompany = define((param: Param<{ companyId: CompanyId }>) =>
    queries
      .selectFrom('ph_job')
      .selectAll()
      .where('company_id', '=', param('companyId'))
      .orderBy('created_at')
      .orderBy('id'),
  );
  const listInState = define((param: Param<{ companyId: CompanyId; state: JobState }>) =>
    queries
      .selectFrom('ph_job')
      .selectAll()
      .where('company_id', '=', param('companyId'))
      .where('state', '=', param('state'))
      .orderBy('created_at')
      .orderBy('id'),
  );

  return (session) => ({
    find: (ids) =>
      session.read(async (run) => {
        const { rows } = await run.batch(
          find,
          ids.map((id) => ({ id })),
          {},
        );
        return inOrder(ids, rows, (row) => row.id, toJob);
      }),
    listOfCompany: (companyId, state) =>
      session.read(async (run) => {
        const rows =
          state === null
            ? await run.all(listOfCompany, { companyId })
            : await run.all(listInState, { companyId, state });
        return rows.map(toJob);
      }),
  });
};
