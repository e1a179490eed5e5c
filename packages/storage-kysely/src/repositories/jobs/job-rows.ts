import type { FormQuestion, Job } from '@partner-hiring/core/ports';
import type { Columns } from '../../dialect.js';
import type { JobTable } from '../../schema.js';

/** The columns of a job, in the order of the insert. */
export const JOB_COLUMNS: Columns<JobTable> = {
  id: 'text',
  company_id: 'text',
  title: 'text',
  city: 'text',
  region: 'text',
  country: 'text',
  pay_type: 'text',
  pay_min: 'real',
  pay_max: 'real',
  pay_currency: 'text',
  schedule: 'text',
  headcount_total: 'integer',
  headcount_filled: 'integer',
  application_form: 'text',
  state: 'text',
  internal_only: 'integer',
  created_at: 'integer',
};

/** A job as a row. */
export function fromJob(job: Job): JobTable {
  return {
    id: job.id,
    company_id: job.companyId,
    title: job.title,
    city: job.location.city,
    region: job.location.state,
    country: job.location.country,
    pay_type: job.compensation.type,
    pay_min: job.compensation.min,
    pay_max: job.compensation.max,
    pay_currency: job.compensation.currency,
    schedule: job.schedule,
    headcount_total: job.headcount.total,
    headcount_filled: job.headcount.filled,
    application_form: job.applicationFormSchema === null ? null : JSON.stringify(job.applicationFormSchema),
    state: job.state,
    internal_only: job.internalOnly ? 1 : 0,
    created_at: job.createdAt,
  };
}

/** A row as a job. */
export function toJob(row: JobTable): Job {
  return {
    id: row.id,
    companyId: row.company_id,
    title: row.title,
    location: { city: row.city, state: row.region, country: row.country },
    compensation: {
      type: row.pay_type,
      min: row.pay_min,
      max: row.pay_max,
      currency: row.pay_currency,
    },
    schedule: row.schedule,
    headcount: { total: row.headcount_total, filled: row.headcount_filled },
    applicationFormSchema:
      row.application_form === null ? null : (JSON.parse(row.application_form) as FormQuestion[]),
    state: row.state,
    internalOnly: row.internal_only === 1,
    createdAt: row.created_at,
  };
}
