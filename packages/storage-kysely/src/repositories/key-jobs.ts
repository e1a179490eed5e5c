import type { CompanyId, JobId, KeyId, KeyJob, KeyJobRepository } from '@partner-hiring/core/ports';
import type { Columns, JsonRows } from '../dialect.js';
import { defineInsert } from '../insert.js';
import type { Prepare } from '../preparation.js';
import type { KeyJobTable } from '../schema.js';
import { define, type Param } from '../statement.js';
import { prepareKeyJobPages } from './key-jobs/key-job-pages.js';

const KEY_JOB_COLUMNS: Columns<KeyJobTable> = {
  key_id: 'text',
  job_id: 'text',
  company_id: 'text',
  visible: 'integer',
  changed_at: 'integer',
};

/** What keys last saw of jobs, and the pages of `GET /jobs`. */
export const prepareKeyJobs: Prepare<KeyJobRepository> = (preparation) => {
  const { queries, items } = preparation;
  const bindPages = prepareKeyJobPages(preparation);
  const listOfJobs = define((param: Param<{ rows: JsonRows<{ job_id: JobId }> }>) =>
    queries
      .selectFrom(items(param('rows'), { job_id: 'text' }))
      .innerJoin('ph_key_job as seen', 'seen.job_id', 'item.job_id')
      .selectAll('seen'),
  );
  const listOfCompany = define((param: Param<{ keyId: KeyId; companyId: CompanyId }>) =>
    queries
      .selectFrom('ph_key_job')
      .selectAll()
      .where('key_id', '=', param('keyId'))
      .where('company_id', '=', param('companyId')),
  );
  const save = defineInsert(preparation, {
    table: 'ph_key_job',
    columns: KEY_JOB_COLUMNS,
    finish: (insert) =>
      insert.onConflict((conflict) =>
        conflict.columns(['key_id', 'job_id']).doUpdateSet((eb) => ({
          visible: eb.ref('excluded.visible'),
          changed_at: eb.ref('excluded.changed_at'),
        })),
      ),
  });

  return (session) => ({
    ...bindPages(session),
    listOfJobs: (jobIds) =>
      session.read(async (run) => {
        const asked = [...new Set(jobIds)].map((id) => ({ job_id: id }));
        return (await run.batch(listOfJobs, asked, {})).rows.map(toKeyJob);
      }),
    listOfCompany: (keyId, companyId) =>
      session.read(async (run) => (await run.all(listOfCompany, { keyId, companyId })).map(toKeyJob)),
    save: (rows) => session.write(async (run) => void (await run.batch(save, rows.map(fromKeyJob), {}))),
  });
};

function fromKeyJob(seen: KeyJob): KeyJobTable {
  return {
    key_id: seen.keyId,
    job_id: seen.jobId,
    company_id: seen.companyId,
    visible: seen.visible ? 1 : 0,
    changed_at: seen.changedAt,
  };
}

function toKeyJob(row: KeyJobTable): KeyJob {
  return {
    keyId: row.key_id,
    jobId: row.job_id,
    companyId: row.company_id,
    visible: row.visible === 1,
    changedAt: row.changed_at,
  };
}
