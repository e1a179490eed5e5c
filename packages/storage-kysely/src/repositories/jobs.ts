import type { CompanyId, JobId, JobRepository, JobState } from '@partner-hiring/core/ports';
import type { JsonRows } from '../dialect.js';
import { inOrder, pairKey } from '../in-order.js';
import { defineInsert } from '../insert.js';
import type { Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';
import { fromJob, JOB_COLUMNS, toJob } from './jobs/job-rows.js';
import { defineFindForKeys, toJobForKey } from './jobs/jobs-for-keys.js';

/** Jobs, as the host knows them. */
export const prepareJobs: Prepare<JobRepository> = (preparation) => {
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
  const save = defineInsert(preparation, {
    table: 'ph_job',
    columns: JOB_COLUMNS,
    finish: (insert) =>
      insert.onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({
          title: eb.ref('excluded.title'),
          city: eb.ref('excluded.city'),
          region: eb.ref('excluded.region'),
          country: eb.ref('excluded.country'),
          pay_type: eb.ref('excluded.pay_type'),
          pay_min: eb.ref('excluded.pay_min'),
          pay_max: eb.ref('excluded.pay_max'),
          pay_currency: eb.ref('excluded.pay_currency'),
          schedule: eb.ref('excluded.schedule'),
          headcount_total: eb.ref('excluded.headcount_total'),
          headcount_filled: eb.ref('excluded.headcount_filled'),
          application_form: eb.ref('excluded.application_form'),
          state: eb.ref('excluded.state'),
          internal_only: eb.ref('excluded.internal_only'),
        })),
      ),
  });
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
  const findForKeys = defineFindForKeys(preparation);

  return (session) => ({
    add: (jobs) =>
      session.write(async (run) => {
        const { rows } = await run.batch(add, jobs.map(fromJob), {});
        if (rows.length === jobs.length) return [];
        await run.batch(remove, rows, {});
        const added = new Set(rows.map(({ id }) => id));
        return jobs.map(({ id }) => id).filter((id) => !added.has(id));
      }),
    save: (jobs) => session.write(async (run) => void (await run.batch(save, jobs.map(fromJob), {}))),
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
    findForKeys: (pairs) =>
      session.read(async (run) => {
        const keys = pairs.map(({ keyId, jobId }) => pairKey(keyId, jobId));
        // Candidates come in crowds for one job: it is read once.
        const distinct = new Map(pairs.map(({ keyId, jobId }) => [pairKey(keyId, jobId), { keyId, jobId }]));
        const asked = [...distinct.values()].map(({ keyId, jobId }) => ({ key_id: keyId, job_id: jobId }));
        const { rows } = await run.batch(findForKeys, asked, {});
        return inOrder(keys, rows, (row) => pairKey(row.key_id, row.id), toJobForKey);
      }),
  });
};
