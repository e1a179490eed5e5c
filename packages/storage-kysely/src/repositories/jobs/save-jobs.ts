import type { JobRepository } from '@partner-hiring/core/ports';
import { defineInsert } from '../../insert.js';
import type { Prepare } from '../../preparation.js';
import { fromJob, JOB_COLUMNS } from './job-rows.js';

/** Replaces jobs, but for their company and when they were made. */
export const prepareSaveJobs: Prepare<Pick<JobRepository, 'save'>> = (preparation) => {
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

  return (session) => ({
    save: (jobs) => session.write(async (run) => void (await run.batch(save, jobs.map(fromJob), {}))),
  });
};
