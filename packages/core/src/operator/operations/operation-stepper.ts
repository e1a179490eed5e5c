import { isError } from '../../domain/any-realm.js';
import type { AuditObject } from '../../domain/audit.js';
import type { OperationId } from '../../domain/ids.js';
import type { Operation } from '../../domain/operation.js';
import { type Instant, MINUTE_MS, SECOND_MS } from '../../domain/time.js';
import { OperatorError, StorageUnavailable } from '../../errors.js';
import { endSyncIfLeft } from '../../features/jobs-sync/sync-state.js';
import { eraseStep } from '../../features/privacy/erase-many.js';
import { partnerStep } from '../../groups/deliveries/resend-to-partner.js';
import { firstPosition, runSendStep, type SendPosition } from '../../groups/deliveries/send-steps.js';
import { closeStep } from '../../groups/jobs/close-all.js';
import { publishStep } from '../../groups/jobs/publish-jobs.js';
import type { OperationTask } from '../../ports/repositories/operations.js';
import type { OperationStepper, OperationStepResult } from '../../ports/steppers.js';
import type { Runner, Scope } from '../scope.js';
import { recordAct } from '../scope.js';
import { actOfPlan, entryOfOperation, filterOfPlan } from './start-operation.js';

/** The result of a step. */
interface StepOutcome {
  readonly done: number;
  readonly skipped: number;
  /** Where the next step starts, to be stored as JSON. Null after the last step. */
  readonly next: unknown;
  /** The objects that the step adds to the operation's audit entry. */
  readonly changed?: readonly AuditObject[];
}

/** Runs the steps of operations. A step and its progress commit together, so a killed worker repeats nothing. */
export function createOperationStepper(runner: Runner): OperationStepper {
  return {
    async step() {
      // A transaction would take SQLite's write lock on every poll.
      if (!(await runner.read.operations.isDue(await runner.now()))) return null;
      let taken: OperationTask | null = null;
      try {
        const stepped = await runner.run(null, async (scope) => {
          taken = null;
          const now = await scope.now();
          taken = await scope.tx.operations.takeDue(now);
          if (taken === null) return null;
          // The steps of a sync run in the process that started it. If the sync is due here, its lease has ended.
          if (taken.operation.sync !== null) return { kind: 'left', id: taken.operation.id } as const;
          return await runStep(scope, taken);
        });
        return stepped?.kind === 'left' ? await endLeft(runner, stepped.id) : stepped;
      } catch (error) {
        if (taken === null) throw error;
        if (!(error instanceof StorageUnavailable)) return postpone(runner, taken, error);
        if (!error.isBusy) throw error;
        return waitForOthers(runner, taken);
      }
    },
  };
}

/** Ends a left sync in a transaction of its own, because others lock the state of the syncs before an operation. */
async function endLeft({ run }: Runner, id: OperationId): Promise<OperationStepResult | null> {
  const operation = await run(null, (scope) => endSyncIfLeft(scope, id));
  return operation === null ? null : { kind: 'stepped', operation };
}

async function runStep(given: Scope, task: OperationTask): Promise<OperationStepResult> {
  const { id, plan, startedBy, counts } = task.operation;
  const scope: Scope = { ...given, actor: startedBy };
  const { done, skipped, next, changed = [] } = await takeStep(scope, task);
  if (done > 0) {
    recordAct(
      { ...scope, act: actOfPlan(plan) },
      {
        objects: [{ kind: 'operation', id }, ...changed],
        entryId: entryOfOperation(id),
        keyId: 'keyId' in plan ? plan.keyId : null,
        count: done,
        filter: filterOfPlan(plan),
      },
    );
  }
  const at = await scope.now();
  const operation: Operation = {
    ...task.operation,
    state: next === null ? 'done' : task.operation.state,
    finishedAt: next === null ? at : task.operation.finishedAt,
    counts: { done: counts.done + done, skipped: counts.skipped + skipped, total: counts.total },
    lastError: null,
    updatedAt: at,
  };
  // Due now, so that other operations have their turn first.
  await scope.tx.operations.save({ operation, position: JSON.stringify(next), failures: 0, dueAt: at });
  return { kind: 'stepped', operation };
}

async function takeStep(scope: Scope, { operation, position }: OperationTask): Promise<StepOutcome> {
  const { plan, createdAt: asOf } = operation;
  const start: unknown = position === null ? null : JSON.parse(position);
  if (plan.kind === 'publish_jobs') return publishStep(scope, operation, (start as number | null) ?? 0);
  if (plan.kind === 'close_jobs')
    return closeStep(scope, operation, plan.companyId, (start as number | null) ?? 0);
  if (plan.kind === 'sync_jobs') throw new Error('The process of a sync runs its steps.');
  if (plan.kind === 'erase') return eraseStep(scope, operation, plan, start);
  if (plan.kind === 'resend_partner') return partnerStep(scope, plan, start, asOf);
  const from = (start as SendPosition | null) ?? firstPosition(plan);
  const { sent, next } = await runSendStep(scope, plan, from, { asOf, isDryRun: false });
  return { done: sent.count, skipped: sent.skipped, next };
}

const MAX_FAILURES = 10;

/** Records a failed step in a transaction of its own, because the step's was rolled back. */
async function postpone(
  { run }: Runner,
  { operation: { id } }: OperationTask,
  error: unknown,
): Promise<OperationStepResult | null> {
  return run(null, async ({ tx, now }) => {
    const task = await tx.operations.findForUpdate(id);
    if (task === null || task.operation.state !== 'running') return null;
    const at = await now();
    const failures = task.failures + 1;
    // Repeating an operator's error cannot succeed.
    const isOver = failures >= MAX_FAILURES || error instanceof OperatorError;
    const operation: Operation = {
      ...task.operation,
      state: isOver ? 'failed' : task.operation.state,
      finishedAt: isOver ? at : task.operation.finishedAt,
      lastError: messageOf(error),
      updatedAt: at,
    };
    await tx.operations.save({ ...task, operation, failures, dueAt: at + cooldownMs(failures) });
    return { kind: 'failed', operation, err: error };
  });
}

/** Longer than a hand-over of the inbox may take. During a hand-over, its applications cannot be erased. */
const BUSY_MS = 15 * SECOND_MS;

/**
 * If other transactions lock the rows of a step, repeats the step later. Other operations have their turn meanwhile.
 */
async function waitForOthers(
  { run }: Runner,
  { operation: { id } }: OperationTask,
): Promise<OperationStepResult | null> {
  return run(null, async ({ tx, now }) => {
    const task = await tx.operations.findForUpdate(id);
    if (task === null || task.operation.state !== 'running') return null;
    const at = await now();
    const operation: Operation = { ...task.operation, lastError: BUSY, updatedAt: at };
    await tx.operations.save({ ...task, operation, dueAt: at + BUSY_MS });
    return { kind: 'postponed', operation };
  });
}

const BUSY = 'Other transactions hold rows of this step. It is repeated.';

function cooldownMs(failures: number): Instant {
  return Math.min(2 ** failures * SECOND_MS, 5 * MINUTE_MS);
}

const MAX_MESSAGE_LENGTH = 500;

/**
 * Returns the message of an operator's error. Other messages are left out, because a database's message may contain
 * values of a row.
 */
function messageOf(error: unknown): string {
  if (error instanceof OperatorError) return `${error.code}: ${error.message}`.slice(0, MAX_MESSAGE_LENGTH);
  return `${isError(error) ? error.name : 'Error'}: the log of the worker has the details.`;
}
