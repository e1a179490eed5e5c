import type { AuditFields } from '../../domain/audit.js';
import { fingerprintJson } from '../../domain/idempotency.js';
import type { CompanyId, JobId } from '../../domain/ids.js';
import {
  decideJobMove,
  haveSameDetails,
  JOB_MOVES,
  type Job,
  type JobMove,
  touchJob,
} from '../../domain/job.js';
import { givenIn, type Optional } from '../../domain/optional.js';
import type { Instant } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import { announceJobs } from '../announce.js';
import {
  companyNotFound,
  jobNotFound,
  type LockedJobs,
  lockFoundJobs,
  lockJob,
  lockJobs,
} from '../find-or-throw.js';
import type { Scope } from '../scope.js';
import { changedFields, recordAct } from '../scope.js';
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

/** Moves all jobs to another state, or none. Runs a fixed number of queries. */
export async function moveJobs(
  scope: Scope,
  ids: readonly JobId[],
  move: JobMove,
): Promise<readonly JobOutcome[]> {
  const jobs = await lockJobs(scope, [...new Set(ids)]);
  const now = await scope.now();
  const outcomes = new Map(jobs.map((job) => [job.id, outcomeOf(job, move, now)]));
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
  if (scope.act?.endsWith('Many') === true) {
    recordAct(scope, { objects, count: changed.length, filter: { jobs: before.length }, after });
    return;
  }
  const state = before.find(({ id }) => id === first.id)?.state;
  recordAct(scope, { objects, before: { state }, after });
}

function outcomeOf(job: Job, move: JobMove, now: Instant): JobOutcome {
  const decision = decideJobMove(job, move);
  switch (decision.kind) {
    case 'moved':
      return { job: touchJob(decision.job, now), changed: true };
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
  const [from, to] = [companies.get(job.companyId), companies.get(companyId)];
  if (to === undefined) throw companyNotFound(companyId);
  if (from?.environment === to.environment) return;
  throw new OperatorError(
    'WORLD_MISMATCH',
    `Job ${job.id} belongs to a ${from?.environment} company, but ${companyId} is a ${to.environment} company. ` +
      'Move the job to a company of its environment.',
  );
}

/** Returns whether partners see two versions of a job alike. */
export function isSameJob(one: Job, other: Job): boolean {
  return (
    one.companyId === other.companyId &&
    one.state === other.state &&
    one.internalOnly === other.internalOnly &&
    haveSameDetails(one, other)
  );
}

async function saveOne(scope: Scope, before: Job, after: Job): Promise<JobOutcome> {
  const job = touchJob(after, await scope.now());
  await save(scope, [job], job.companyId !== before.companyId);
  recordChange(scope, before, job);
  return { job, changed: true };
}

/** Records the fields of a job that have changed. */
export function recordChange(scope: Scope, before: Job, after: Job): void {
  recordAct(scope, {
    objects: [objectOfJob(after)],
    ...changedFields(auditFieldsOf(before), auditFieldsOf(after)),
  });
}

/** The form is long, so the audit only names its questions. The digest shows whether their texts have changed. */
function auditFieldsOf({ applicationFormSchema, ...job }: Job): AuditFields {
  const { companyId, state, title, location, compensation, schedule, headcount, internalOnly } = job;
  const questions = applicationFormSchema && {
    keys: applicationFormSchema.slice(0, KEYS_NAMED).map(({ key }) => key.slice(0, KEY_LENGTH)),
    digest: fingerprintJson(applicationFormSchema).slice(0, DIGEST_LENGTH),
  };
  return { companyId, state, title, location, compensation, schedule, headcount, internalOnly, questions };
}

/** Bounds the size of an entry. */
const KEYS_NAMED = 20;
const KEY_LENGTH = 40;
const DIGEST_LENGTH = 16;

async function save(scope: Scope, jobs: readonly Job[], hasMoved = false): Promise<void> {
  await scope.tx.jobs.save(jobs);
  await announceJobs(scope, jobs, hasMoved);
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
