import type { JobId } from '../domain/ids.js';
import { decideJobMove, JOB_MOVES, type Job, type JobDetails, type JobMove } from '../domain/job.js';
import { OperatorError } from '../errors.js';
import { announceJobs } from './announce.js';
import { lockCompany } from './companies.js';
import { inspect } from './inspection.js';
import { completeDetails, inspectDetails, type JobDetailsInput } from './job-details.js';
import type { JobOutcome, JobUpdate } from './jobs.js';
import type { Scope } from './scope.js';

/** Moves a job along its life. Throws what `JobCommands` says. */
export async function moveJob(scope: Scope, id: JobId, move: JobMove): Promise<JobOutcome> {
  const job = await lockJob(scope, id);
  const decision = decideJobMove(job, move);
  switch (decision.kind) {
    case 'moved':
      return commit(scope, decision.job);
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
  const job = await lockJob(scope, id);
  const asked: JobDetailsInput = { ...job, ...given(changes) };
  const inspection = inspect('jobs.update');
  inspectDetails(inspection, asked, 'changes.');
  inspection.end();
  const details = completeDetails(asked);
  return isSame(details, completeDetails(job))
    ? { job, changed: false }
    : commit(scope, { ...job, ...details });
}

/** The job as it stands now; its company is locked, so that it stays so until the commit. */
async function lockJob(scope: Scope, id: JobId): Promise<Job> {
  const { companyId } = await findJob(scope, id);
  await lockCompany(scope, companyId);
  return findJob(scope, id);
}

async function findJob({ tx }: Scope, id: JobId): Promise<Job> {
  const [job] = await tx.jobs.find([id]);
  if (!job) throw new OperatorError('JOB_NOT_FOUND', `There is no job ${id}. Publish it first.`);
  return job;
}

async function commit(scope: Scope, job: Job): Promise<JobOutcome> {
  await scope.tx.jobs.save([job]);
  await announceJobs(scope, [job]);
  return { job, changed: true };
}

function illegalMove({ id, state }: Job, move: JobMove): OperatorError {
  const { from, to } = JOB_MOVES[move];
  const legal = from.filter((state) => state !== to).join(' or ');
  return new OperatorError('ILLEGAL_MOVE', `jobs.${move}: the job ${id} is ${state}; it must be ${legal}.`);
}

/** A field given as undefined is one left out. */
function given(changes: Partial<JobDetailsInput>): Partial<JobDetailsInput> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

/** Completed details have one order of fields, so their texts are equal when they are. */
function isSame(one: JobDetails, other: JobDetails): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
