import type { OperationId } from '../../domain/ids.js';
import type { Operation, OperationState } from '../../domain/operation.js';
import type { Instant } from '../../domain/time.js';
import { onHost, onOperation } from '../../operator/command/claims.js';
import type { Definitions } from '../../operator/command/definition.js';
import { id, oneOf, optional, page } from '../../operator/command/fields.js';
import { filter, record } from '../../operator/command/input.js';
import { operationNotFound } from '../../operator/find-or-throw.js';
import { withKeyNames } from '../../operator/names.js';
import { defineAgeCursors, type Page, type PageOptions, readPage } from '../../operator/page-cursor.js';
import { recordAct, type Scope } from '../../operator/scope.js';
import type { OperationTask } from '../../ports/repositories/operations.js';
import type { Repositories } from '../../ports/storage.js';
import type { JobSyncState } from '../jobs-sync/rules.js';
import { stopSync } from '../jobs-sync/sync-state.js';

/** An operation by id. */
export interface OperationTarget {
  readonly id: OperationId;
}

/** Filters a list of operations. */
export interface OperationFilter extends PageOptions {
  /** Only operations in this state; default: all. */
  readonly state?: OperationState | undefined;
}

/** An operation with the names that belong to the key in its plan. They are null if the plan has no key. */
export interface ListedOperation extends Operation {
  /** Null if the plan names no key. */
  readonly partnerName: string | null;
  /** Null if the plan names no key. */
  readonly keyLabel: string | null;
}

/** The operation after `stop`. */
export interface OperationOutcome {
  readonly operation: Operation;
  /** False if the operation had already ended. */
  readonly changed: boolean;
}

/**
 * Watches and stops operations: commands on many rows that the worker runs in steps. An operation survives restarts.
 * Its row is kept as long as those of delivered events.
 */
export interface OperationCommands {
  /**
   * Returns a page of operations, newest first, 100 by default, in all states or in one `state`.
   * @example
   * const { items: operations } = await operator.operations.list({ state: 'running' });
   */
  list(filter?: OperationFilter): Promise<Page<ListedOperation>>;
  /**
   * Iterates over the rows of `list` in its order. Reads each page only when the loop reaches it.
   * @example
   * for await (const { id, counts } of operator.operations.each({ state: 'running' })) console.log(id, counts.done);
   */
  each(filter?: OperationFilter): AsyncIterable<ListedOperation>;
  /**
   * Returns an operation with its progress, or null.
   * @example
   * const operation = await operator.operations.find({ id: operationId });
   * const done = operation?.counts.done;
   */
  find(target: OperationTarget): Promise<Operation | null>;
  /**
   * Stops (cancels) a running operation before its next step; `changed` is false if it has already ended. The steps
   * that it has done remain.
   * @throws OperatorError `OPERATION_NOT_FOUND`.
   * @example
   * const { changed } = await operator.operations.stop({ id: operationId });
   */
  stop(target: OperationTarget): Promise<OperationOutcome>;
}

const STATES = ['running', 'done', 'held', 'stopped', 'failed'] as const satisfies readonly OperationState[];

const CURSORS = defineAgeCursors<OperationId>('operations');

export const operationDefinitions: Definitions<OperationCommands> = {
  list: {
    summary: 'Lists operations, newest first',
    input: filter({ state: optional(oneOf(STATES), 'Only those in this state'), ...page }),
    right: 'operations:read',
    claims: onHost,
    run: ({ read }, asked) => listOperations(read, asked),
  },
  find: {
    summary: 'Shows an operation and its progress',
    input: record({ id: id('operation') }),
    right: 'operations:read',
    claims: onOperation,
    run: ({ read }, target) => read.operations.find(target.id),
  },
  stop: {
    summary: 'Stops a running operation; its finished steps remain',
    input: record({ id: id('operation') }),
    pastTense: 'stopped the operation',
    right: 'operations:stop',
    claims: onOperation,
    gate: {
      moreRight: async ({ operations }, target) =>
        (await operations.find(target.id))?.plan.kind === 'erase' ? 'candidates:erase' : null,
    },
    run: ({ commit }, target) => commit((scope) => stop(scope, target.id)),
  },
};

async function listOperations(
  read: Pick<Repositories, 'operations' | 'names'>,
  { state, ...page }: OperationFilter,
): Promise<Page<ListedOperation>> {
  const { items: rows, nextCursor } = await readPage(CURSORS, [state ?? null], page, ({ after, limit }) =>
    read.operations.list({ state: state ?? null, after: after ?? undefined, limit }),
  );
  return { items: await nameOperations(read, rows), nextCursor };
}

export async function nameOperations(
  read: Pick<Repositories, 'names'>,
  operations: readonly Operation[],
): Promise<readonly ListedOperation[]> {
  const keyed = operations.flatMap(({ id, plan }) => ('keyId' in plan ? [{ id, keyId: plan.keyId }] : []));
  const names = new Map((await withKeyNames(read, keyed)).map((row) => [row.id, row]));
  return operations.map((operation) => {
    const { partnerName = null, keyLabel = null } = names.get(operation.id) ?? {};
    return { ...operation, partnerName, keyLabel };
  });
}

async function saveStop(
  scope: Scope,
  syncs: JobSyncState,
  task: OperationTask,
  at: Instant,
): Promise<Operation> {
  if (task.operation.sync !== null) return stopSync(scope, syncs, task, at);
  const operation: Operation = { ...task.operation, state: 'stopped', updatedAt: at, finishedAt: at };
  await scope.tx.operations.save({ ...task, operation });
  return operation;
}

async function stop(scope: Scope, id: OperationId): Promise<OperationOutcome> {
  const { tx, now } = scope;
  // A sync locks these in the same order.
  const syncs = await tx.jobSyncs.findForUpdate();
  const task = await tx.operations.findForUpdate(id);
  if (task === null) throw operationNotFound(id);
  if (task.operation.state !== 'running') return { operation: task.operation, changed: false };
  const at = await now();
  const operation = await saveStop(scope, syncs, task, at);
  recordAct(scope, {
    objects: [{ kind: 'operation', id }],
    keyId: 'keyId' in operation.plan ? operation.plan.keyId : null,
    before: { state: 'running' },
    after: { state: 'stopped', operation: operation.plan.kind, ...operation.counts },
  });
  return { operation, changed: true };
}
