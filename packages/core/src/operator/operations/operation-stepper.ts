import { isError } from '../../domain/any-realm.js';
import type { AuditObject } from '../../domain/audit.js';
import type { OperationId } from '../../domain/ids.js';
import {
  MOST_FAILURES_NAMED,
  type Operation,
  type OperationFailure,
  type OperationPlan,
} from '../../domain/operation.js';
import { type Instant, MINUTE_MS, SECOND_MS } from '../../domain/time.js';
import { OperatorError, StorageUnavailable } from '../../errors.js';
import type { OperationTask } from '../../ports/repositories/operations.js';
import type { OperationStepper, OperationStepResult } from '../../ports/steppers.js';
import { type Runner, recordAct, type Scope } from '../scope.js';
import { actOfPlan, entryOfOperation, filterOfPlan } from './start-operation.js';

/** The result of a step. */
export interface StepOutcome {
  readonly done: number;
  readonly skipped: number;
  /** Where the next step starts, to be stored as JSON. Null after the last step. */
  readonly next: unknown;
  /** The objects that the step adds to the operation's audit entry. */
  readonly changed?: readonly AuditObject[];
  /** The objects of a bulk operation that could not be changed. */
  readonly failures?: readonly OperationFailure[];
}

/** The work of a plan. */
export interface PlanWork<Plan extends OperationPlan> {
  /**
   * Runs the next step.
   * @param position - where the step starts; null for the first one.
   */
  readonly step?: (
    scope: Scope,
    operation: PlannedOperation<Plan>,
    position: unknown,
  ) => Promise<StepOutcome>;
  /** Ends an operation whose steps run in the process that started it, and that has left it. */
  readonly endLeft?: (scope: Scope, id: OperationId) => Promise<Operation | null>;
}

export interface PlannedOperation<Plan extends OperationPlan> extends Operation {
  readonly plan: Plan;
}

/** The work of plans, by kind. */
export type PlanWorks = {
  readonly [Kind in OperationPlan['kind']]?: PlanWork<Extract<OperationPlan, { readonly kind: Kind }>>;
};

/** Runs the steps of operations. A step and its progress commit together, so a killed worker repeats nothing. */
export function createOperationStepper(runner: Runner, plans: PlanWorks): OperationStepper {
  const workOf = ({ plan: { kind } }: Operation): PlanWork<never> => {
    const work = plans[kind];
    if (work === undefined) throw new Error(`No part has the plan ${kind}.`);
    return work;
  };
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
          const { step, endLeft } = workOf(taken.operation);
          // It is due only after its lease has ended.
          if (endLeft !== undefined) return { kind: 'left', id: taken.operation.id, endLeft } as const;
          if (step === undefined) throw new Error('A plan needs steps.');
          return await runStep(scope, taken, step);
        });
        return stepped?.kind === 'left' ? await endOfLeft(runner, stepped) : stepped;
      } catch (error) {
        if (taken === null) throw error;
        if (!(error instanceof StorageUnavailable)) return postpone(runner, taken, error);
        if (!error.isBusy) throw error;
        return waitForOthers(runner, taken);
      }
    },
  };
}

/** Ends a left operation in a transaction of its own, because others lock more before the operation. */
async function endOfLeft(
  { run }: Runner,
  { id, endLeft }: Required<Pick<PlanWork<never>, 'endLeft'>> & { readonly id: OperationId },
): Promise<OperationStepResult | null> {
  const operation = await run(null, (scope) => endLeft(scope, id));
  return operation === null ? null : { kind: 'stepped', operation };
}

async function runStep(
  given: Scope,
  task: OperationTask,
  step: NonNullable<PlanWork<never>['step']>,
): Promise<OperationStepResult> {
  const { id, plan, startedBy, counts } = task.operation;
  const scope: Scope = { ...given, actor: startedBy };
  const {
    done,
    skipped,
    next,
    changed = [],
    failures = [],
  } = await step(scope, task.operation as PlannedOperation<never>, positionOf(task));
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
    failed: addFailures(task.operation.failed, failures),
    lastError: null,
    updatedAt: at,
  };
  recordEnd(scope, operation);
  // Due now, so that other operations have their turn first.
  await scope.tx.operations.save({ operation, position: JSON.stringify(next), failures: 0, dueAt: at });
  return { kind: 'stepped', operation };
}

function addFailures(failed: Operation['failed'], more: readonly OperationFailure[]): Operation['failed'] {
  if (failed === null || more.length === 0) return failed;
  const first = [...failed.first, ...more].slice(0, MOST_FAILURES_NAMED);
  return { count: failed.count + more.length, first };
}

/** Records the counts of a bulk operation that has ended. */
function recordEnd(scope: Scope, { id, plan, state, counts, failed }: Operation): void {
  if (failed === null || state === 'running') return;
  const ended = { ...scope, act: actOfPlan(plan) };
  const after = { state, done: counts.done, skipped: counts.skipped, failed: failed.count };
  recordAct(ended, { objects: [{ kind: 'operation', id }], before: { state: 'running' }, after });
}

function positionOf({ position }: OperationTask): unknown {
  return position === null ? null : JSON.parse(position);
}

const MAX_FAILURES = 10;

/** Records a failed step in a transaction of its own, because the step's was rolled back. */
function postpone(runner: Runner, taken: OperationTask, error: unknown): Promise<OperationStepResult | null> {
  return whileRunning(runner, taken, async (scope, task, at) => {
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
    await scope.tx.operations.save({ ...task, operation, failures, dueAt: at + cooldownMs(failures) });
    recordEnd({ ...scope, actor: operation.startedBy }, operation);
    return { kind: 'failed', operation, err: error };
  });
}

/** Longer than a hand-over of the inbox may take. During a hand-over, its applications cannot be erased. */
const BUSY_MS = 15 * SECOND_MS;

/**
 * If other transactions lock the rows of a step, repeats the step later. Other operations have their turn meanwhile.
 */
function waitForOthers(runner: Runner, taken: OperationTask): Promise<OperationStepResult | null> {
  return whileRunning(runner, taken, async ({ tx }, task, at) => {
    const operation: Operation = { ...task.operation, lastError: BUSY, updatedAt: at };
    await tx.operations.save({ ...task, operation, dueAt: at + BUSY_MS });
    return { kind: 'postponed', operation };
  });
}

/** Changes an operation in a transaction of its own. Null if it does not run any more. */
function whileRunning(
  { run }: Runner,
  { operation: { id } }: OperationTask,
  change: (scope: Scope, task: OperationTask, at: Instant) => Promise<OperationStepResult>,
): Promise<OperationStepResult | null> {
  return run(null, async (scope) => {
    const task = await scope.tx.operations.findForUpdate(id);
    if (task === null || task.operation.state !== 'running') return null;
    return change(scope, task, await scope.now());
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
