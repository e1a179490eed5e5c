import type { JobId } from '../../domain/ids.js';
import { type Job, touchJob } from '../../domain/job.js';
import { isSameJob } from '../../domain/job-facts.js';
import { OperatorError } from '../../errors.js';
import { announceJobs } from '../announce.js';
import { companyNotFound, type LockedJobs, lockFoundJobs } from '../find-or-throw.js';
import { recordAct, type Scope } from '../scope.js';
import { type JobOutcome, recordChange } from './change-job.js';
import { completeDetails } from './job-details.js';
import { type NewJob, objectOfJob, publishedFields, toJob } from './publish-jobs.js';

/** A job to create or to update. An omitted `state` or `internalOnly` is kept; other omitted fields are unset. */
export interface JobPut extends NewJob {
  /** The job's id: `job_`, then 1 to 120 characters of `A-Z a-z 0-9 _ -`. */
  readonly id: JobId;
}

/**
 * A try fails only if another transaction publishes one of the ids at the same time. This many failures in a row are
 * not expected.
 */
const MAX_TRIES = 10;

/** Creates or updates all jobs, or none. Runs a fixed number of queries. */
export async function putJobs(scope: Scope, inputs: readonly JobPut[]): Promise<readonly JobOutcome[]> {
  const ids = inputs.map(({ id }) => id);
  const companyIds = [...new Set(inputs.map(({ companyId }) => companyId))];
  const now = await scope.now();
  for (let tries = 1; ; tries += 1) {
    const locked = await lockFoundJobs(scope, ids, companyIds);
    const changes = inputs.map((input, index): JobChange => {
      const stored = locked.jobs[index] ?? null;
      assertPossible(input, stored, locked.companies);
      if (stored === null) return { before: null, job: toJob(input, input.id, now), changed: true };
      const job = afterPut(input, stored);
      if (isSameJob(stored, job)) return { before: stored, job: stored, changed: false };
      return { before: stored, job: touchJob(job, now), changed: true };
    });
    const added = changes.filter(({ before }) => before === null).map(({ job }) => job);
    const taken = await scope.tx.jobs.add(added);
    if (taken.length === 0) {
      await saveChanges(scope, changes, added);
      return changes.map(({ job, changed }) => ({ job, changed }));
    }
    // Another transaction has published some of these jobs meanwhile.
    if (tries === MAX_TRIES) throw new Error(`Other transactions publish job ${taken[0]} again and again.`);
  }
}

interface JobChange extends JobOutcome {
  readonly before: Job | null;
}

function afterPut(input: JobPut, stored: Job): Job {
  const { companyId, state = stored.state, internalOnly = stored.internalOnly } = input;
  return { ...stored, ...completeDetails(input), companyId, state, internalOnly };
}

function assertPossible(
  { id, companyId }: JobPut,
  stored: Job | null,
  companies: LockedJobs['companies'],
): void {
  const company = companies.get(companyId);
  if (company === undefined) throw companyNotFound(companyId);
  if (stored === null || companies.get(stored.companyId)?.environment === company.environment) return;
  throw new OperatorError(
    'JOB_EXISTS',
    `Job ${id} already exists at a company of the other environment. Use another id for the job of ${companyId}.`,
  );
}

async function saveChanges(
  scope: Scope,
  changes: readonly JobChange[],
  added: readonly Job[],
): Promise<void> {
  const updated = changes.filter(({ before, changed }) => changed && before !== null);
  const jobs = updated.map(({ job }) => job);
  const hasMoved = updated.some(({ before, job }) => before?.companyId !== job.companyId);
  await scope.tx.jobs.save(jobs);
  await announceJobs(scope, [...added, ...jobs], hasMoved);
  recordPut(scope, changes);
}

function recordPut(scope: Scope, changes: readonly JobChange[]): void {
  const [first, ...others] = changes.filter(({ changed }) => changed);
  if (first === undefined) return;
  if (scope.act !== 'jobs.put') {
    const objects = [objectOfJob(first.job), ...others.map(({ job }) => objectOfJob(job))] as const;
    recordAct(scope, { objects, count: objects.length, filter: { jobs: changes.length } });
  } else if (first.before === null) {
    recordAct(scope, { objects: [objectOfJob(first.job)], after: publishedFields(first.job) });
  } else recordChange(scope, first.before, first.job);
}
