import type { JobId } from '../../domain/ids.js';
import { decideJobMove, JOB_MOVES, type Job, type JobDetails, type JobMove } from '../../domain/job.js';
import { OperatorError } from '../../errors.js';
import { announceJobs } from '../announce.js';
import { lockCompanies } from '../companies.js';
import { inspect, inspectRecord } from '../input/inspection.js';
import type { JobOutcome, JobUpdate } from '../jobs.js';
import type { Scope } from '../scope.js';
import { completeDetails, inspectDetails, type JobDetailsInput } from './job-details.js';

/**
 * Moves jobs along their lives in one commit, all or none, in a constant number of calls; the outcomes come in
 * the order asked. Throws what `JobCommands` says.
 */
export async function moveJobs(
  scope: Scope,
  ids: readonly JobId[],
  move: JobMove,
): Promise<readonly JobOutcome[]> {
  const jobs = await lockJobs(scope, [...new Set(ids)]);
  const outcomes = new Map(jobs.map((job) => [job.id, outcomeOf(job, move)]));
  await save(
    scope,
    [...outcomes.values()].flatMap(({ job, changed }) => (changed ? [job] : [])),
  );
  return ids.flatMap((id) => outcomes.get(id) ?? []);
}

function outcomeOf(job: Job, move: JobMove): JobOutcome {
  const decision = decideJobMove(job, move);
  switch (decision.kind) {
    case 'moved':
      return { job: decision.job, changed: true };
    case 'unchanged':
      return { job, changed: false };
    case 'illegal':
      throw illegalMove(job, move);
  }
}

/** Marks a job as internal only, or as public again. Throws what `JobCommands` says. */
export async function setInternalOnly(scope: Scope, id: JobId, internalOnly: boolean): Promise<JobOutcome> {
  const job = await lockJob(scope, id);
  return job.internalOnly === internalOnly
    ? { job, changed: false }
    : commit(scope, { ...job, internalOnly });
}

/** Replaces details of a job. Throws what `JobCommands` says. */
export async function updateJob(scope: Scope, { id, changes }: JobUpdate): Promise<JobOutcome> {
  const inspection = inspect('jobs.update');
  inspectRecord(inspection, changes, 'changes');
  inspection.end();
  const job = await lockJob(scope, id);
  const asked: JobDetailsInput = { ...job, ...given(changes) };
  inspectDetails(inspection, asked, 'changes.');
  inspection.end();
  const details = completeDetails(asked);
  return isSame(details, completeDetails(job))
    ? { job, changed: false }
    : commit(scope, { ...job, ...details });
}

async function lockJob(scope: Scope, id: JobId): Promise<Job> {
  const [job] = await lockJobs(scope, [id]);
  if (job === undefined) throw jobNotFound(id);
  return job;
}

/** The jobs as they stand now; their companies are locked, so that they stay so until the commit. */
async function lockJobs(scope: Scope, ids: readonly JobId[]): Promise<readonly Job[]> {
  const found = await findJobs(scope, ids);
  await lockCompanies(scope, [...new Set(found.map(({ companyId }) => companyId))]);
  return findJobs(scope, ids);
}

async function findJobs({ tx }: Scope, ids: readonly JobId[]): Promise<readonly Job[]> {
  const found = await tx.jobs.find(ids);
  return ids.map((id, index) => {
    const job = found[index];
    if (!job) throw jobNotFound(id);
    return job;
  });
}

function jobNotFound(id: JobId): OperatorError {
  return new OperatorError('JOB_NOT_FOUND', `There is no job ${id}. Publish it first.`);
}

async function commit(scope: Scope, job: Job): Promise<JobOutcome> {
  await save(scope, [job]);
  return { job, changed: true };
}

async function save(scope: Scope, jobs: readonly Job[]): Promise<void> {
  await scope.tx.jobs.save(jobs);
  await announceJobs(scope, jobs);
}

/** What it is, what was asked of it, what that is for, and what there is for it. */
function illegalMove({ id, state }: Job, move: JobMove): OperatorError {
  const { from, to } = JOB_MOVES[move];
  const meant = from.filter((each) => each !== to).join(' or ');
  return new OperatorError(
    'ILLEGAL_MOVE',
    `The job ${id} is ${state}, and was to become ${to}. jobs.${move} is for one that is ${meant}; one that is ${state} ` +
      `takes ${movesFrom(state).join(' or ')}.`,
  );
}

function movesFrom(state: Job['state']): readonly string[] {
  return Object.entries(JOB_MOVES)
    .filter(([, { from, to }]) => from.includes(state) && to !== state)
    .map(([move]) => `jobs.${move}`);
}

/** A field given as undefined is one left out. */
function given(changes: Partial<JobDetailsInput>): Partial<JobDetailsInput> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

/** Completed details have one order of fields, so their texts are equal when they are. */
function isSame(one: JobDetails, other: JobDetails): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
