import type { AuditFields, AuditObject } from '../../domain/audit.js';
import type { CompanyId, JobId } from '../../domain/ids.js';
import type { Job, JobState } from '../../domain/job.js';
import type { Operation } from '../../domain/operation.js';
import type { Instant } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import type { CommandContext } from '../../operator/command/definition.js';
import { mapInBatches } from '../../operator/event-loop.js';
import { lockCompanies } from '../../operator/find-or-throw.js';
import type { StepOutcome } from '../../operator/operations/operation-stepper.js';
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

/** Returns the items of each step. */
export function partsOf<Item>(items: readonly Item[], size = JOBS_PER_STEP): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/**
 * Runs the step of one input. Ends the operation after the last one.
 * @param change - changes jobs, and returns them. The other items of the input are skipped.
 */
export async function stepOf<Item>(
  { tx }: Scope,
  { id, counts: { done, skipped, total } }: Operation,
  position: unknown,
  change: (items: readonly Item[]) => Promise<readonly Job[]>,
): Promise<StepOutcome> {
  const number = (position as number | null) ?? 0;
  const input = await tx.operations.takeInput(id, number);
  if (input === null) return { done: 0, skipped: 0, next: null };
  const items = JSON.parse(input) as readonly Item[];
  const changed = await change(items);
  const isLast = done + skipped + items.length >= (total ?? 0);
  return {
    done: changed.length,
    skipped: items.length - changed.length,
    next: isLast ? null : number + 1,
    changed: changed.map(objectOfJob),
  };
}

/** Publishes the jobs of one input. Skips jobs whose id was taken meanwhile. */
export function publishStep(scope: Scope, operation: Operation, position: unknown): Promise<StepOutcome> {
  return stepOf<NewJob>(scope, operation, position, async (jobs) => {
    const existing = await scope.tx.jobs.find(jobs.flatMap((job) => job.id ?? []));
    return publishJobs(
      scope,
      jobs.filter((_, index) => (existing[index] ?? null) === null),
    );
  });
}
