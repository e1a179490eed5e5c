import type { OperationId } from '../../domain/ids.js';
import type { Operation, OperationCounts, OperationPlan } from '../../domain/operation.js';
import type { Instant } from '../../domain/time.js';
import type { Scope } from '../scope.js';

export interface NewOperation {
  readonly id?: OperationId;
  readonly plan: OperationPlan;
  /** Serialized as JSON. */
  readonly position: unknown;
  readonly counts: OperationCounts;
  readonly createdAt: Instant;
  readonly inputs?: readonly string[];
}

/** Hands the rest of a command over to the worker, in the same commit. */
export async function startOperation(
  scope: Scope,
  { id = scope.runtime.ids.next('operation'), plan, position, counts, createdAt, inputs = [] }: NewOperation,
): Promise<Operation> {
  const operation: Operation = {
    id,
    plan,
    startedBy: scope.actor,
    state: 'running',
    counts,
    lastError: null,
    createdAt,
    updatedAt: createdAt,
    finishedAt: null,
  };
  const task = { operation, position: JSON.stringify(position), failures: 0, dueAt: createdAt };
  await scope.tx.operations.add(task, inputs);
  scope.workIsDue();
  return operation;
}
