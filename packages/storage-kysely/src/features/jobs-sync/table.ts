import type { CompanyId, JobId, OperationId } from '@partner-hiring/core/ports';
import { choiceColumn, flagColumn, idColumn, instantColumn, integerColumn, table } from '../../table.js';
import { NOT_EXPORTED, rowsOf } from '../../table-rows.js';

/** The state of the syncs of jobs. Its only row has the name `jobs`. */
export const JOB_SYNCS = table('ph_job_sync', rowsOf(null, NOT_EXPORTED), {
  name: choiceColumn<'jobs'>().hidden(),
  operation_id: idColumn<OperationId>().orNull(),
  due_at: instantColumn().orNull(),
  apply_up_to: integerColumn().orNull(),
  is_held: flagColumn(),
  failures: integerColumn(),
  good_at: instantColumn().orNull(),
  refused_rows: integerColumn(),
  refused_at: instantColumn().orNull(),
  held_jobs: integerColumn(),
  held_at: instantColumn().orNull(),
});

/** The jobs that the last held sync has kept open. */
export const HELD_JOBS = table('ph_held_job', rowsOf(null, NOT_EXPORTED), {
  company_id: idColumn<CompanyId>(),
  job_id: idColumn<JobId>(),
});
