import type { JobId, JobRepository } from '@partner-hiring/core/ports';
import type { JsonRows } from '../../dialect.js';
import { defineInsert } from '../../insert.js';
import type { Prepare } from '../../preparation.js';
import { define, type Param } from '../../statement.js';
import { fromJob, JOB_COLUMNS } from './job-rows.js';

/** Adds jobs, all or none. */
export const prepareAddJobs: Prepare<Pick<JobRepository, 'add'>> = (preparation) => {
  const { queries, items } = preparation;
  const add = defineInsert(preparation, {
    table: 'ph_job',
    columns: JOB_COLUMNS,
    finish: (insert) => insert.onConflict((conflict) => conflict.doNothing()).returning('id'),
  });
  const remove = define((param: Param<{ rows: JsonRows<{ id: JobId }> }>) =>
    queries
      .deleteFrom('ph_job')
      .where('id', 'in', queries.selectFrom(items(param('rows'), { id: 'text' })).select('item.id')),
  );

  return (session) => ({
    add: (jobs) =>
      session.write(async (run) => {
        const { rows } = await run.batch(add, jobs.map(fromJob), {});
        if (rows.length === jobs.length) return [];
        await run.batch(remove, rows, {});
        const added = new Set(rows.map(({ id }) => id));
        return jobs.map(({ id }) => id).filter((id) => !added.has(id));
      }),
  });
};
