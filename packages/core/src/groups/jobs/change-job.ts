import type { CompanyId, JobId } from '../../domain/ids.js';
import { decideJobMove, JOB_MOVES, type Job, type JobMove, touchJob } from '../../domain/job.js';
import { auditedFieldsOf, isSameJob } from '../../domain/job-facts.js';
import { givenIn, type Optional } from '../../domain/optional.js';
import { OperatorError } from '../../errors.js';
import {
  companyNotFound,
  jobNotFound,
  type LockedJobs,
  lockFoundJobs,
  lockJobs,
} from '../../operator/find-or-throw.js';
import { groupBy } from '../../operator/group-by.js';
import { changedFields, recordAct, type Scope } from '../../operator/scope.js';
import { announceJobs } from './announce.js';
import { completeDetails, type JobDetailsInput } from './job-details.js';
import { objectOfJob } from './publish-jobs.js';

/** The details of a job that can change. */
export interface JobChanges extends JobDetailsInput {
  /**
   * Moves the job to another company of its environment. Applications stay with the company to which they were
   * submitted.
   */
  readonly companyId: CompanyId;
}

/** New details of a job. */
export interface JobUpdate {
  readonly id: JobId;
  /** The new details. Omitted fields keep their value. A given field replaces the whole old value. */
  readonly changes: Optional<JobChanges>;
}

/** The job after a command. */
export interface JobOutcome {
  readonly job: Job;
  /** False if everything was as asked, so that nothing was written. */
  readonly changed: boolean;
}

/** A job by id. */
export interface JobTarget {
  readonly id: JobId;
}

/** A job to reopen. */
export interface JobReopening extends JobTarget {
  /** The state that the job must have, unless it is open already; default: `closed`. */
  readonly from?: 'closed' | 'archived' | undefined;
}

/** Who sees a job. */
export interface JobVisibilityChange extends JobTarget {
  /**
   * `internal_only`: no partner sees the job, and keys that saw it get `job.closed` with `internal_sourcing_only`;
   * `public`: keys with access to the company see it while it is open, and then get `job.opened`.
   */
  readonly visibility: 'public' | 'internal_only';
}

/** Moves all jobs to another state, or none. Runs a fixed number of queries. */
export function moveJobs(
  scope: Scope,
  jobs: readonly JobTarget[],
  moveOf: JobMove | ((job: JobReopening) => JobMove),
): Promise<readonly JobOutcome[]> {
  return changeJobs(scope, jobs, (job, given) =>
    afterMove(job, typeof moveOf === 'string' ? moveOf : moveOf(given)),
  );
}

/** Hides jobs from partners, or shows them again: all of them, or none. */
export function setVisibility(
  scope: Scope,
  jobs: readonly JobVisibilityChange[],
): Promise<readonly JobOutcome[]> {
  return changeJobs(scope, jobs, (job, { visibility }) => {
    const internalOnly = visibility === 'internal_only';
    return job.internalOnly === internalOnly ? job : { ...job, internalOnly };
  });
}

/** @param change - returns the same job if nothing changes. */
async function changeJobs<Given extends JobTarget>(
  scope: Scope,
  given: readonly Given[],
  change: (job: Job, given: Given) => Job,
): Promise<readonly JobOutcome[]> {
  const byId = new Map(given.map((each) => [each.id, each]));
  const before = await lockJobs(scope, [...byId.keys()]);
  const now = await scope.now();
  const outcomes = new Map<JobId, JobOutcome>();
  for (const [index, each] of [...byId.values()].entries()) {
    const job = before[index];
    if (job === undefined) throw jobNotFound(each.id);
    const after = change(job, each);
    const changed = after !== job;
    outcomes.set(job.id, { job: changed ? touchJob(after, now) : job, changed });
  }
  const changes = before.flatMap((job): readonly BothVersions[] => {
    const outcome = outcomes.get(job.id);
    return outcome?.changed === true ? [[job, outcome.job]] : [];
  });
  await save(
    scope,
    changes.map(([, job]) => job),
  );
  recordChanges(scope, given.length, changes);
  return given.flatMap(({ id }) => outcomes.get(id) ?? []);
}

/** A job before and after a command. */
type BothVersions = readonly [before: Job, after: Job];

/** Records one entry for all jobs that have the same new state and visibility. */
function recordChanges(scope: Scope, jobs: number, changes: readonly BothVersions[]): void {
  const [only] = changes;
  if (jobs === 1) {
    if (only !== undefined) recordChange(scope, ...only);
    return;
  }
  const groups = groupBy(changes, (change) => JSON.stringify(changedOf(change).after));
  for (const [first, ...others] of groups.values()) {
    if (first === undefined) continue;
    const objects = [objectOfJob(first[1]), ...others.map(([, job]) => objectOfJob(job))] as const;
    recordAct(scope, { objects, count: objects.length, filter: { jobs }, after: changedOf(first).after });
  }
}

/** Returns the fields that differ, for the audit. */
export function changedOf([before, after]: BothVersions) {
  return changedFields(auditedFieldsOf(before), auditedFieldsOf(after));
}

function afterMove(job: Job, move: JobMove): Job {
  const decision = decideJobMove(job, move);
  switch (decision.kind) {
    case 'moved':
      return decision.job;
    case 'unchanged':
      return job;
    case 'illegal':
      throw illegalMove(job, move);
  }
}

export async function updateJob(scope: Scope, { id, changes }: JobUpdate): Promise<JobOutcome> {
  const { companyId } = changes;
  const locked = await lockFoundJobs(scope, [id], companyId === undefined ? [] : [companyId]);
  const [job] = locked.jobs;
  if (!job) throw jobNotFound(id);
  if (companyId !== undefined) assertSameEnvironment(locked, job, companyId);
  const requested: JobDetailsInput = { ...job, ...givenIn(changes) };
  const details = completeDetails(requested);
  const changed: Job = { ...job, ...details, companyId: companyId ?? job.companyId };
  return isSameJob(job, changed) ? { job, changed: false } : saveOne(scope, job, changed);
}

function assertSameEnvironment({ companies }: LockedJobs, job: Job, companyId: CompanyId): void {
  const from = companies.get(job.companyId);
  const to = companies.get(companyId);
  if (to === undefined) throw companyNotFound(companyId);
  if (from?.environment === to.environment) return;
  throw new OperatorError(
    'ENVIRONMENT_MISMATCH',
    `Job ${job.id} belongs to a ${from?.environment} company, but ${companyId} is a ${to.environment} company. ` +
      'Move the job to a company of its environment.',
  );
}

async function saveOne(scope: Scope, before: Job, after: Job): Promise<JobOutcome> {
  const job = touchJob(after, await scope.now());
  await save(scope, [job], job.companyId !== before.companyId);
  recordChange(scope, before, job);
  return { job, changed: true };
}

/** Records the fields of a job that have changed. */
function recordChange(scope: Scope, before: Job, after: Job): void {
  recordAct(scope, {
    objects: [objectOfJob(after)],
    ...changedOf([before, after]),
  });
}

async function save(scope: Scope, jobs: readonly Job[], hasMoved = false): Promise<void> {
  await scope.tx.jobs.save(jobs);
  await announceJobs(scope, jobs, hasMoved);
}

function illegalMove({ id, state }: Job, move: JobMove): OperatorError {
  const { from, to } = JOB_MOVES[move];
  const expected = from.filter((each) => each !== to).join(' or ');
  return new OperatorError(
    'ILLEGAL_MOVE',
    `Job ${id} is ${state}, but ${CALLS[move]} requires it to be ${expected}. ` +
      `Use ${callsFrom(state).join(' or ')} instead.`,
  );
}

/** The call that makes a move. */
const CALLS: Readonly<Record<JobMove, string>> = {
  close: 'jobs.close',
  reopen: 'jobs.reopen',
  archive: 'jobs.archive',
  unarchive: 'jobs.reopen with `from` archived',
};

function callsFrom(state: Job['state']): readonly string[] {
  const moves = Object.keys(CALLS) as JobMove[];
  return moves
    .filter((move) => JOB_MOVES[move].from.includes(state) && JOB_MOVES[move].to !== state)
    .map((move) => CALLS[move]);
}
