import { systemActor } from '../../domain/audit.js';
import type { Feature } from '../feature.js';
import { checkJobs } from './check-options.js';
import { jobSyncDefinitions, jobSyncerDefinitions } from './definitions.js';
import { createJobSyncRunner } from './job-sync-runner.js';
import { endSyncIfLeft } from './sync-state.js';
import { createJobSyncTask } from './task.js';

export const jobsSyncFeature: Feature = {
  name: 'jobs-sync',
  checkOptions: ({ jobs }) => checkJobs(jobs),
  plans: { sync_jobs: { endLeft: endSyncIfLeft } },
  commands: { jobs: { syncs: jobSyncDefinitions } },
  commandsAlone: { jobs: { syncs: jobSyncerDefinitions } },
  tasks: ({ jobSyncs, runtime, logger }) =>
    jobSyncs === undefined
      ? []
      : [
          {
            task: createJobSyncTask(jobSyncs, runtime.clock, logger),
            isDemanded: true,
            wake: true,
            inSleep: true,
          },
        ],
  make: ({ options: { jobs }, runnerAs }) => ({
    forWorker: {
      jobSyncs:
        jobs === undefined ? undefined : createJobSyncRunner(runnerAs(systemActor('jobs-sync')), jobs),
    },
  }),
};
