import type { CompanyId, JobId } from '../../domain/ids.js';
import type { Job } from '../../domain/job.js';
import type { Operation, OperationPlan } from '../../domain/operation.js';
import { lockCompany, lockJobs } from '../../operator/find-or-throw.js';
import type { PlannedOperation, StepOutcome } from '../../operator/operations/operation-stepper.js';
import { entryOfOperation, filterOfPlan, startOperation } from '../../operator/operations/start-operation.js';
import { recordAct, type Scope } from '../../operator/scope.js';
import type { Repositories } from '../../ports/storage.js';
import { moveJobs } from './change-job.js';
import { partsOf, stepOf } from './publish-jobs.js';

/** Limits how many rows are in memory at once. Only their ids are kept. */
const JOBS_PER_READ = 500;

/** Starts an operation that closes the jobs that are open now. */
export async function closeAll(scope: Scope, companyId: CompanyId): Promise<Operation> {
  await lockCompany(scope, companyId);
  // Ids are stored now, so that jobs that are published later stay open.
  const ids = await openJobs(scope.tx, companyId);
  const plan = { kind: 'close_jobs', companyId } as const;
  const operation = await startOperation(scope, {
    plan,
    position: 0,
    counts: { done: 0, skipped: 0, total: ids.length },
    createdAt: await scope.now(),
    inputs: partsOf(ids).map((part) => JSON.stringify(part)),
  });
  recordAct(scope, {
    objects: [
      { kind: 'operation', id: operation.id },
      { kind: 'company', id: companyId },
    ],
    entryId: entryOfOperation(operation.id),
    filter: { ...filterOfPlan(plan), jobs: ids.length },
  });
  return operation;
}

async function openJobs({ jobs }: Repositories, companyId: CompanyId): Promise<readonly JobId[]> {
  const ids: JobId[] = [];
  let last: Job | undefined;
  for (;;) {
    const start = { after: last ?? null, limit: JOBS_PER_READ };
    const page: readonly Job[] = await jobs.listOfCompany(companyId, 'open', start);
    ids.push(...page.map(({ id }) => id));
    if (page.length < JOBS_PER_READ) return ids;
    last = page.at(-1);
  }
}

/** Closes the jobs of one input. Skips jobs that are not open anymore, or have moved to another company. */
export function closeStep(
  scope: Scope,
  operation: PlannedOperation<Extract<OperationPlan, { readonly kind: 'close_jobs' }>>,
  position: unknown,
): Promise<StepOutcome> {
  const { companyId } = operation.plan;
  return stepOf<JobId>(scope, operation, position, async (ids) => {
    const jobs = await lockJobs(scope, ids);
    const open = jobs.filter((job) => job.state === 'open' && job.companyId === companyId);
    return (await moveJobs(scope, open, 'close')).map(({ job }) => job);
  });
}
