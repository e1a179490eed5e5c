import type { AuditFields } from '../../domain/audit.js';
import { fingerprintJson } from '../../domain/idempotency.js';
import type { JobId } from '../../domain/ids.js';
import { decideJobMove, JOB_MOVES, type Job, type JobDetails, type JobMove } from '../../domain/job.js';
import { givenIn, type Optional } from '../../domain/optional.js';
import { OperatorError } from '../../errors.js';
import { announceJobs } from '../announce.js';
import { lockJob, lockJobs } from '../find-or-throw.js';
import type { Scope } from '../scope.js';
import { changedFields, recordAct } from '../scope.js';
import { completeDetails, type JobDetailsInput } from './job-details.js';
import { objectOfJob } from './publish-jobs.js';

/** New details of a job. */
export interface JobUpdate {
  readonly id: JobId;
  /** The new details. Omitted fields keep their value. A given field replaces the whole old value. */
  readonly changes: Optional<JobDetailsInput>;
}

/** The job after a command. */
export interface JobOutcome {
  readonly job: Job;
  readonly changed: boolean;
}

/** Moves all jobs to another state, or none. Runs a fixed number of queries. */
export async function moveJobs(
  scope: Scope,
  ids: readonly JobId[],
  move: JobMove,
): Promise<readonly JobOutcome[]> {
  const jobs = await lockJobs(scope, [...new Set(ids)]);
  const outcomes = new Map(jobs.map((job) => [job.id, outcomeOf(job, move)]));
  const changed = [...outcomes.values()].filter((outcome) => outcome.changed);
  await save(
    scope,
    changed.map(({ job }) => job),
  );
  recordMoves(scope, jobs, changed);
  return ids.flatMap((id) => outcomes.get(id) ?? []);
}

function recordMoves(scope: Scope, before: readonly Job[], changed: readonly JobOutcome[]): void {
  const [first, ...others] = changed.map(({ job }) => job);
  if (first === undefined) return;
  const objects = [objectOfJob(first), ...others.map(objectOfJob)] as const;
  const after = { state: first.state };
  if (scope.act === 'jobs.closeMany') {
    recordAct(scope, { objects, count: changed.length, filter: { jobs: before.length }, after });
    return;
  }
  const state = before.find(({ id }) => id === first.id)?.state;
  recordAct(scope, { objects, before: { state }, after });
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

export async function setInternalOnly(scope: Scope, id: JobId, internalOnly: boolean): Promise<JobOutcome> {
  const job = await lockJob(scope, id);
  return job.internalOnly === internalOnly
    ? { job, changed: false }
    : saveOne(scope, job, { ...job, internalOnly });
}

export async function updateJob(scope: Scope, { id, changes }: JobUpdate): Promise<JobOutcome> {
  const job = await lockJob(scope, id);
  const requested: JobDetailsInput = { ...job, ...givenIn(changes) };
  const details = completeDetails(requested);
  return isSame(details, completeDetails(job))
    ? { job, changed: false }
    : saveOne(scope, job, { ...job, ...details });
}

async function saveOne(scope: Scope, before: Job, job: Job): Promise<JobOutcome> {
  await save(scope, [job]);
  recordAct(scope, {
    objects: [objectOfJob(job)],
    ...changedFields(auditFieldsOf(before), auditFieldsOf(job)),
  });
  return { job, changed: true };
}

/** The form is long, so its questions are only named. A change of their texts shows as another digest. */
function auditFieldsOf({ applicationFormSchema, ...job }: Job): AuditFields {
  const { title, location, compensation, schedule, headcount, internalOnly } = job;
  const questions = applicationFormSchema && {
    keys: applicationFormSchema.slice(0, KEYS_NAMED).map(({ key }) => key.slice(0, KEY_LENGTH)),
    digest: fingerprintJson(applicationFormSchema).slice(0, DIGEST_LENGTH),
  };
  return { title, location, compensation, schedule, headcount, internalOnly, questions };
}

/** Bounds the size of an entry. */
const KEYS_NAMED = 20;
const KEY_LENGTH = 40;
const DIGEST_LENGTH = 16;

async function save(scope: Scope, jobs: readonly Job[]): Promise<void> {
  await scope.tx.jobs.save(jobs);
  await announceJobs(scope, jobs);
}

function illegalMove({ id, state }: Job, move: JobMove): OperatorError {
  const { from, to } = JOB_MOVES[move];
  const expected = from.filter((each) => each !== to).join(' or ');
  return new OperatorError(
    'ILLEGAL_MOVE',
    `Job ${id} is ${state}, but jobs.${move} requires it to be ${expected}. ` +
      `Use ${movesFrom(state).join(' or ')} instead.`,
  );
}

function movesFrom(state: Job['state']): readonly string[] {
  return Object.entries(JOB_MOVES)
    .filter(([, { from, to }]) => from.includes(state) && to !== state)
    .map(([move]) => `jobs.${move}`);
}

/**
 * Returns whether the details are equal. JSON is enough, because completed details always have the same field
 * order.
 */
function isSame(one: JobDetails, other: JobDetails): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
