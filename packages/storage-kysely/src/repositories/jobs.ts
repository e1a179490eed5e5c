import type { JobRepository } from '@partner-hiring/core/ports';
import type { Prepare } from '../preparation.js';
import { prepareAddJobs } from './jobs/add-jobs.js';
import { prepareFindJobs } from './jobs/find-jobs.js';
import { prepareJobsForKeys } from './jobs/jobs-for-keys.js';
import { prepareSaveJobs } from './jobs/save-jobs.js';

/** Jobs, as the host knows them. */
export const prepareJobs: Prepare<JobRepository> = (preparation) => {
  const bindFind = prepareFindJobs(preparation);
  const bindForKeys = prepareJobsForKeys(preparation);
  const bindAdd = prepareAddJobs(preparation);
  const bindSave = prepareSaveJobs(preparation);

  return (session) => ({
    ...bindFind(session),
    ...bindForKeys(session),
    ...bindAdd(session),
    ...bindSave(session),
  });
};
