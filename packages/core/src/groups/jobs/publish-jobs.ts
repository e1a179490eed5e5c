import type { AuditFields, AuditObject } from '../../domain/audit.js';
import type { CompanyId, JobId } from '../../domain/ids.js';
import type { Job, JobState } from '../../domain/job.js';
import type { Operation, OperationCounts } from '../../domain/operation.js';
import type { Instant } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import type { CommandContext } from '../../operator/command/definition.js';
import { mapInBatches } from '../../operator/event-loop.js';
import { lockCompanies } from '../../operator/find-or-throw.js';
import { entryOfOperation, startOperation } from '../../operator/operations/start-operation.js';
import { recordAct, type Scope } from '../../operator/scope.js';
import { announceJobs } from './announce.js';
import { completeDetails, type JobDetailsInput } from './job-details.js';

/** A job to publish. */
export interface NewJob extends JobDetailsInput {
  /** Your own id: `job_`, then 1 to 120 characters of `A-Z a-z 0-9 _ -`; default: generated. */
  readonly id?: JobId | undefined;
  readonly companyId: CompanyId;
  /** The state to begin with; default: `open`. */
  readonly state?: JobState | undefined;
  /** Whether to hide the job from partners; default: false. */
  readonly internalOnly?: boolean | undefined;
}

/** Publishes all jobs, or none. Runs a fixed number of queries. */
export async function publishJobs(scope: Scope, inputs: readonly NewJob[]): Promise<readonly Job[]> {
  await lockCompanies(scope, [...new Set(inputs.map(({ companyId }) => companyId))]);
  const now = await scope.now();
  const jobs = inputs.map((input) => toJob(input, input.id ?? scope.runtime.ids.next('job'), now));
  await addJobs(scope, jobs);
  await announceJobs(scope, jobs);
  recordPublished(scope, jobs);
  return jobs;
}

function recordPublished(scope: Scope, jobs: readonly Job[]): void {
  const [first, ...others] = jobs;
  if (first === undefined) return;
  const objects = [objectOfJob(first), ...others.map(objectOfJob)] as const;
  if (others.length === 0) recordAct(scope, { objects, after: publishedFields(first) });
  else recordAct(scope, { objects, count: jobs.length });
}

/** The fields of a new job in the audit. */
export function publishedFields({ companyId, title, state, internalOnly }: Job): AuditFields {
  return { companyId, title, state, internalOnly };
}

export function objectOfJob({ id }: Pick<Job, 'id'>): AuditObject {
  return { kind: 'job', id };
}

/**
 * Adds the jobs. The primary key detects duplicates. Locks would detect them too, but would make companies wait for
 * each other.
 */
async function addJobs({ tx }: Scope, jobs: readonly Job[]): Promise<void> {
  const [taken] = await tx.jobs.add(jobs);
  if (taken === undefined) return;
  throw new OperatorError(
    'JOB_EXISTS',
    `Job ${taken} already exists. Change it with jobs.update, or offer it again with jobs.reopen.`,
  );
}

export function toJob(input: NewJob, id: JobId, createdAt: Instant): Job {
  const { companyId, state = 'open', internalOnly = false } = input;
  return {
    ...completeDetails(input),
    id,
    companyId,
    state,
    internalOnly,
    createdAt,
    updatedAt: createdAt,
    syncedIn: null,
    sourceVersion: null,
  };
}

/** Bounds the memory of one call. */
export const MAX_JOBS = 100_000;

/** A step of this many jobs locks the feeds of their keys only briefly. */
const JOBS_PER_STEP = 100;

export async function publishInSteps(
  { commit, now }: CommandContext,
  jobs: readonly NewJob[],
): Promise<Operation> {
  const createdAt = await now();
  const companyIds = [...new Set(jobs.map(({ companyId }) => companyId))];
  return commit(async (scope) => {
    await lockCompanies(scope, companyIds);
    // Ids are assigned now, so that a repeated step publishes no job twice.
    const inputs = await mapInBatches(partsOf(jobs), (part) =>
      JSON.stringify(part.map((job) => ({ ...job, id: job.id ?? scope.runtime.ids.next('job') }))),
    );
    const counts = { done: 0, skipped: 0, total: jobs.length };
    const plan = { kind: 'publish_jobs' } as const;
    const operation = await startOperation(scope, { plan, position: 0, counts, createdAt, inputs });
    recordAct(scope, {
      objects: [{ kind: 'operation', id: operation.id }],
      entryId: entryOfOperation(operation.id),
      filter: { jobs: jobs.length },
    });
    return operation;
  });
}

/** Returns the jobs of each step. */
export function partsOf<Item>(jobs: readonly Item[]): readonly (readonly Item[])[] {
  const count = Math.ceil(jobs.length / JOBS_PER_STEP);
  return Array.from({ length: count }, (_, index) =>
    jobs.slice(index * JOBS_PER_STEP, (index + 1) * JOBS_PER_STEP),
  );
}

/** The result of one step of an operation on jobs. */
export interface JobStep {
  readonly done: number;
  readonly skipped: number;
  /** The number of the next input. Null after the last one. */
  readonly next: number | null;
  readonly changed: readonly AuditObject[];
}

export const NOTHING_LEFT: JobStep = { done: 0, skipped: 0, next: null, changed: [] };

/** @param size - how many jobs the step read. The jobs that it did not change are skipped. */
export function stepOf(
  { done, skipped, total }: OperationCounts,
  number: number,
  size: number,
  changed: readonly Job[],
): JobStep {
  const isLast = done + skipped + size >= (total ?? 0);
  return {
    done: changed.length,
    skipped: size - changed.length,
    next: isLast ? null : number + 1,
    changed: changed.map(objectOfJob),
  };
}

/** Publishes the jobs of one input. Skips jobs whose id was taken meanwhile. */
export async function publishStep(
  scope: Scope,
  { id, counts }: Operation,
  position: unknown,
): Promise<JobStep> {
  const number = (position as number | null) ?? 0;
  const input = await scope.tx.operations.takeInput(id, number);
  if (input === null) return NOTHING_LEFT;
  const jobs = JSON.parse(input) as readonly NewJob[];
  const existing = await scope.tx.jobs.find(jobs.flatMap((job) => job.id ?? []));
  const fresh = jobs.filter((_, index) => (existing[index] ?? null) === null);
  const published = await publishJobs(scope, fresh);
  return stepOf(counts, number, jobs.length, published);
}
