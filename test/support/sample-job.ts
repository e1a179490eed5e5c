import type { Job } from '../../packages/core/src/domain/job.js';
import { toJob } from '../../packages/core/src/groups/jobs/publish-jobs.js';

/** An open job, for tests of rules that need only a few of its fields. */
export const SAMPLE_JOB: Job = toJob(
  {
    companyId: 'co_1',
    title: 'Cook',
    location: { city: 'Bern', state: 'BE', country: 'CH' },
    compensation: { currency: 'CHF' },
  },
  'job_1',
  0,
);
