import type { Job } from '../../packages/core/src/domain/job.js';

/** An open job, for tests of rules that need only a few of its fields. */
export const SAMPLE_JOB: Job = {
  id: 'job_1',
  companyId: 'co_1',
  title: 'Cook',
  location: { city: 'Bern', state: 'BE', country: 'CH' },
  unknownCountry: false,
  compensation: { type: 'hourly', min: null, max: null, currency: 'CHF' },
  schedule: null,
  headcount: { total: null, filled: 0 },
  applicationFormSchema: null,
  state: 'open',
  internalOnly: false,
  createdAt: 0,
  updatedAt: 0,
  syncedIn: null,
  sourceVersion: null,
};
