import type { Act, AuditFields } from '../../domain/audit.js';
import { type AuditId, ID_PREFIXES, type OperationId } from '../../domain/ids.js';
import type { Operation, OperationCounts, OperationPlan } from '../../domain/operation.js';
import type { Instant } from '../../domain/time.js';
import type { Scope } from '../scope.js';

const ACT_OF_PLAN = {
  resend: 'deliveries.resend',
  retry_now: 'endpoints.resume',
  resend_partner: 'deliveries.resend',
  erase: 'candidates.eraseMany',
  publish_jobs: 'jobs.publishInSteps',
  close_jobs: 'jobs.closeAll',
  sync_jobs: 'jobs.syncs.run',
} as const satisfies Readonly<Record<Exclude<OperationPlan['kind'], 'bulk'>, Act>>;

/**
 * Returns the command that starts operations with such a plan, or that a bulk operation runs with each object. The audit
 * records all their steps as one act under its name.
 */
export function actOfPlan(plan: OperationPlan): Act {
  return plan.kind === 'bulk' ? plan.act : ACT_OF_PLAN[plan.kind];
}

/** Returns what the plan selects, for the audit. */
export function filterOfPlan(plan: OperationPlan): AuditFields {
  switch (plan.kind) {
    case 'resend':
    case 'resend_partner': {
      const { since, until, only } = plan;
      return { since, until, only };
    }
    case 'erase': {
      const { companyId, changedBefore, clearSourceApplicationId } = plan;
      return { companyId, changedBefore, clearSourceApplicationId };
    }
    case 'retry_now':
      return { state: 'waiting' };
    case 'close_jobs':
      return { companyId: plan.companyId, state: 'open' };
    case 'publish_jobs':
      return {};
    case 'sync_jobs':
      return { missing: plan.missing };
    case 'bulk':
      return plan.filter;
  }
}

/** Returns the only audit entry of an operation: its start, its steps, and the commits of the command before it. */
export function entryOfOperation(id: OperationId): AuditId {
  return `${ID_PREFIXES.audit}${id.slice(ID_PREFIXES.operation.length)}`;
}

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
    failed: plan.kind === 'bulk' ? { count: 0, first: [] } : null,
    sync: null,
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
