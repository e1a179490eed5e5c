import type { Job, JobMove } from '../../domain/job.js';
import type { Repositories } from '../../ports/storage.js';
import { inspect, inspectChoice } from '../input/inspection.js';
import type { JobCommands, JobTarget } from '../jobs.js';
import type { Runner } from '../scope.js';
import { moveJobs, setInternalOnly, updateJob } from './change-job.js';
import { JOB_STATES, publishJobs } from './publish-jobs.js';

/** Builds the commands about jobs. */
export function jobCommands({ run, read }: Runner): JobCommands {
  const move = (move: JobMove) => (job: JobTarget) =>
    run((scope) => moveJobs(scope, [job.id], move)).then(only);
  return {
    publish: (job) => run((scope) => publishJobs(scope, 'jobs.publish', [job])).then(only),
    publishMany: (jobs) => run((scope) => publishJobs(scope, 'jobs.publishMany', jobs)),
    update: (update) => run((scope) => updateJob(scope, update)),
    close: move('close'),
    closeMany: (jobs) =>
      run((scope) =>
        moveJobs(
          scope,
          jobs.map(({ id }) => id),
          'close',
        ),
      ),
    reopen: move('reopen'),
    archive: move('archive'),
    unarchive: move('unarchive'),
    markInternalOnly: (job) => run((scope) => setInternalOnly(scope, job.id, true)),
    markPublic: (job) => run((scope) => setInternalOnly(scope, job.id, false)),
    find: async ({ id }) => (await read.jobs.find([id]))[0] ?? null,
    list: async (filter) => listJobs(read, filter),
  };
}

function listJobs(
  read: Repositories,
  { companyId, state }: Parameters<JobCommands['list']>[0],
): Promise<readonly Job[]> {
  const asked = state ?? null;
  const inspection = inspect('jobs.list');
  if (asked !== null) inspectChoice(inspection, asked, 'state', JOB_STATES);
  inspection.end();
  return read.jobs.listOfCompany(companyId, asked);
}

function only<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined) throw new Error('One job was named, none came back.');
  return item;
}
