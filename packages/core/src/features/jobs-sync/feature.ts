import { systemActor } from '../../domain/audit.js';
import type { Feature } from '../feature.js';
import { checkJobs } from './check-options.js';
import { heldJobDefinitions, jobSyncDefinitions, jobSyncerDefinitions } from './definitions.js';
import { createJobSyncRunner } from './job-sync-runner.js';
import { endSyncIfLeft } from './sync-state.js';
import { createJobSyncTask } from './task.js';

export const jobsSyncFeature: Feature = {
  name: 'jobs-sync',
  checkOptions: ({ jobs }) => checkJobs(jobs),
  plans: { sync_jobs: { endLeft: endSyncIfLeft } },
  commands: { jobs: { ...heldJobDefinitions, syncs: jobSyncDefinitions } },
  commandsAlone: { jobs: { syncs: jobSyncerDefinitions } },
  make({ options: { jobs }, ports: { runtime, logger }, runnerAs }) {
    if (jobs === undefined) return {};
    const runner = createJobSyncRunner(runnerAs(systemActor('jobs-sync')), jobs);
    const task = createJobSyncTask(runner, runtime.clock, logger);
    return { tasks: () => [{ task, isDemanded: true, wake: true, inSleep: true }] };
  },
};
