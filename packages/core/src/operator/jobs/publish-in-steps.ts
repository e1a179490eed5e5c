import type { AuditObject } from '../../domain/audit.js';
import type { Operation } from '../../domain/operation.js';
import { mapInBatches } from '../event-loop.js';
import { lockCompanies } from '../find-or-throw.js';
import { inspect } from '../input.js';
import { startOperation } from '../operations/start-operation.js';
import { recordAct } from '../record-act.js';
import type { Runner, Scope } from '../scope.js';
import { inspectJobs, type NewJob, objectOfJob, publishJobs } from './publish-jobs.js';

/** Bounds the memory of one call. */
const MAX_JOBS = 100_000;

/** A step of this many jobs holds the feeds of their keys only briefly. */
const JOBS_PER_STEP = 100;

export async function publishInSteps({ run, now }: Runner, jobs: readonly NewJob[]): Promise<Operation> {
  const command = 'jobs.publishInSteps';
  const inspection = inspect(command);
  inspection.expect(jobs.length <= MAX_JOBS, 'jobs', `must be a list of at most ${MAX_JOBS} jobs`);
  inspection.end();
  inspectJobs(command, jobs);
  const createdAt = await now();
  const companyIds = [...new Set(jobs.map(({ companyId }) => companyId))];
  return run(command, async (scope) => {
    await lockCompanies(scope, companyIds);
    // Ids are assigned now, so that a repeated step publishes no job twice.
    const inputs = await mapInBatches(partsOf(jobs), (part) =>
      JSON.stringify(part.map((job) => ({ ...job, id: job.id ?? scope.runtime.ids.next('job') }))),
    );
    const counts = { done: 0, skipped: 0, total: jobs.length };
    const plan = { kind: 'publish_jobs' } as const;
    const operation = await startOperation(scope, { plan, position: 0, counts, createdAt, inputs });
    recordAct(scope, { objects: [{ kind: 'operation', id: operation.id }], count: jobs.length });
    return operation;
  });
}

function partsOf(jobs: readonly NewJob[]): readonly (readonly NewJob[])[] {
  const count = Math.ceil(jobs.length / JOBS_PER_STEP);
  return Array.from({ length: count }, (_, index) =>
    jobs.slice(index * JOBS_PER_STEP, (index + 1) * JOBS_PER_STEP),
  );
}

interface PublishStep {
  readonly done: number;
  readonly skipped: number;
  readonly next: number | null;
  readonly changed: readonly AuditObject[];
}

/** Publishes the jobs of one input. Skips jobs whose id was taken meanwhile. */
export async function publishStep(
  scope: Scope,
  { id, counts }: Operation,
  number: number,
): Promise<PublishStep> {
  const input = await scope.tx.operations.takeInput(id, number);
  if (input === null) return { done: 0, skipped: 0, next: null, changed: [] };
  const jobs = JSON.parse(input) as readonly NewJob[];
  const existing = await scope.tx.jobs.find(jobs.flatMap((job) => job.id ?? []));
  const fresh = jobs.filter((_, index) => (existing[index] ?? null) === null);
  const published = await publishJobs(scope, 'jobs.publishMany', fresh);
  const seen = counts.done + counts.skipped + jobs.length;
  const next = seen < (counts.total ?? 0) ? number + 1 : null;
  return {
    done: fresh.length,
    skipped: jobs.length - fresh.length,
    next,
    changed: published.map(objectOfJob),
  };
}
