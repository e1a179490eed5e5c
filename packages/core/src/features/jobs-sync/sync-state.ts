import type { OperationId } from '../../domain/ids.js';
import type { Job } from '../../domain/job.js';
import type { Operation } from '../../domain/operation.js';
import type { RefusedRow } from '../../domain/source-row.js';
import { changesIn, type MissingJobs, NO_SYNC_COUNTS, type SyncCounts } from '../../domain/sync-counts.js';
import { type Instant, SECOND_MS } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import { objectOfJob } from '../../groups/jobs/publish-jobs.js';
import { entryOfOperation, filterOfPlan } from '../../operator/operations/start-operation.js';
import { type Runner, recordAct, type Scope } from '../../operator/scope.js';
import type { OperationTask } from '../../ports/repositories/operations.js';
import type { JobSyncState, SyncRun } from './rules.js';
import { noteEnd } from './sync-health.js';

/** If a run does not renew its lease for this time, in milliseconds, another process may begin a run. */
export const LEASE_MS = 30 * SECOND_MS;

/** The number of refused rows of a run that are stored. */
export const REFUSED_KEPT = 1_000;

/** Thrown if the run was stopped, or if another process has ended it because its lease was over. */
export class SyncEnded extends Error {}

/**
 * Begins a run, unless another one is running.
 * @param nextAfterMs - how long after its end a worker begins the next one. Undefined if no worker starts the run.
 * @throws OperatorError `SYNC_RUNNING`.
 */
export async function beginSync(
  scope: Scope,
  missing: MissingJobs,
  nextAfterMs?: number | undefined,
): Promise<SyncRun> {
  const { tx, runtime } = scope;
  let state = await tx.jobSyncs.findForUpdate();
  const last = state.operationId === null ? null : await tx.operations.findForUpdate(state.operationId);
  const startedAt = await scope.now();
  if (last !== null && last.operation.state === 'running') {
    if (last.dueAt > startedAt) throw syncRunning(last.operation.id);
    state = await endLeftSync(scope, state, last, startedAt);
  }
  // Removes a run that found everything in step. Such runs would fill the list of operations.
  if (last !== null && isQuiet(last.operation)) await tx.operations.remove(last.operation.id);
  const id = runtime.ids.next('operation');
  const operation: Operation = {
    id,
    plan: { kind: 'sync_jobs', missing },
    startedBy: scope.actor,
    state: 'running',
    counts: { done: 0, skipped: 0, total: null },
    failed: null,
    sync: NO_SYNC_COUNTS,
    lastError: null,
    createdAt: startedAt,
    updatedAt: startedAt,
    finishedAt: null,
  };
  const position = nextAfterMs === undefined ? null : JSON.stringify(nextAfterMs);
  await tx.operations.add({ operation, position, failures: 0, dueAt: startedAt + LEASE_MS });
  await tx.jobSyncs.save({ ...state, operationId: id, goodAt: state.goodAt ?? startedAt });
  return { id, startedAt };
}

function syncRunning(id: OperationId): OperatorError {
  return new OperatorError(
    'SYNC_RUNNING',
    `Another sync is running: operation ${id}. Wait for its end with operations.wait, or stop it with operations.stop.`,
  );
}

function isQuiet({ state, sync }: Operation): boolean {
  return state === 'done' && sync !== null && changesIn(sync) === 0 && sync.refused === 0;
}

export type CountChange = Partial<SyncCounts>;

/** The changes of one commit of a run. */
export interface SyncStep {
  readonly counts: CountChange;
  readonly refused: readonly RefusedRow[];
  /** The jobs that the commit changed, for the audit. */
  readonly changed: readonly Pick<Job, 'id'>[];
}

/** Commits a step of a run with its progress, and renews the lease. @throws SyncEnded if the run has ended. */
export function commitStep(
  runner: Runner,
  run: SyncRun,
  work: (scope: Scope) => Promise<SyncStep>,
): Promise<SyncStep> {
  return runner.run(null, async (scope) => {
    const task = await lockRun(scope, run);
    const step = await work(scope);
    const at = await scope.now();
    const operation = afterStep(task.operation, step.counts, at);
    const refusedBefore = task.operation.sync?.refused ?? 0;
    if (step.refused.length > 0 && refusedBefore < REFUSED_KEPT) {
      await scope.tx.operations.addInput(run.id, refusedBefore, JSON.stringify(step.refused));
    }
    await scope.tx.operations.save({ ...task, operation, dueAt: at + LEASE_MS });
    if (step.changed.length > 0) recordSync(scope, operation, step.changed);
    return step;
  });
}

/** Locks the operation of a run, so that a process that has lost its lease changes nothing anymore. */
async function lockRun({ tx }: Scope, { id }: SyncRun): Promise<OperationTask> {
  const task = await tx.operations.findForUpdate(id);
  if (task === null || task.operation.state !== 'running') throw new SyncEnded();
  return task;
}

function afterStep(operation: Operation, change: CountChange, updatedAt: Instant): Operation {
  const before = operation.sync ?? NO_SYNC_COUNTS;
  const sum = (name: Exclude<keyof SyncCounts, 'highPay'>) => before[name] + (change[name] ?? 0);
  const sync: SyncCounts = {
    added: sum('added'),
    updated: sum('updated'),
    reopened: sum('reopened'),
    closed: sum('closed'),
    unchanged: sum('unchanged'),
    refused: sum('refused'),
    missing: sum('missing'),
    open: sum('open'),
    highPay: change.highPay ?? before.highPay,
  };
  const counts = { ...operation.counts, done: changesIn(sync), skipped: sync.refused };
  return { ...operation, sync, counts, updatedAt };
}

export interface SyncEnd {
  readonly state: 'done' | 'held' | 'stopped' | 'failed';
  readonly lastError: string | null;
  /** How long after this end a worker begins the next run. Undefined for a run that a worker did not start. */
  readonly nextAfterMs?: number | undefined;
}

/** Ends a run, and returns it. @throws SyncEnded if it has ended already. */
export function endSync(
  runner: Runner,
  run: SyncRun,
  counts: CountChange,
  { state, lastError, nextAfterMs }: SyncEnd,
): Promise<Operation> {
  return runner.run(null, async (scope) => {
    const { tx } = scope;
    const sync = await tx.jobSyncs.findForUpdate();
    const task = await lockRun(scope, run);
    const at = await scope.now();
    const operation = afterStep(task.operation, counts, at);
    const hasRead = state === 'done' || state === 'held';
    const after = await noteEnd(scope, sync, { ...operation, state, lastError }, at);
    await tx.jobSyncs.save({
      ...after,
      applyUpTo: hasRead ? null : sync.applyUpTo,
      dueAt: nextAfterMs === undefined ? sync.dueAt : at + nextAfterMs,
    });
    return saveEnd(scope, { ...task, operation }, state, lastError, at);
  });
}

/**
 * Stops a run of any process, which notices it when it renews its lease. A worker begins the next run after its usual
 * pause, and not before that. Lock the state of the syncs first, then the operation.
 */
export async function stopSync(
  scope: Scope,
  state: JobSyncState,
  task: OperationTask,
  at: Instant,
): Promise<Operation> {
  const nextAfterMs = task.position === null ? null : (JSON.parse(task.position) as number);
  if (nextAfterMs !== null && state.operationId === task.operation.id) {
    await scope.tx.jobSyncs.save({ ...state, dueAt: at + Math.max(nextAfterMs, LEASE_MS) });
  }
  return saveEnd(scope, task, 'stopped', null, at);
}

const LEFT =
  'The process that ran this sync has ended, or lost the database. The next run reads the source from its start.';

/** Ends a run whose lease is over, and returns the state after it. Lock the state first, then its operation. */
async function endLeftSync(
  scope: Scope,
  state: JobSyncState,
  task: OperationTask,
  at: Instant,
): Promise<JobSyncState> {
  const operation = await saveEnd(scope, task, 'failed', LEFT, at);
  return noteEnd(scope, state, { ...operation, state: 'failed' }, at);
}

/** Ends a run if its lease is over. Returns its operation, or null if it was ended or renewed meanwhile. */
export async function endSyncIfLeft(scope: Scope, id: OperationId): Promise<Operation | null> {
  const { tx } = scope;
  const state = await tx.jobSyncs.findForUpdate();
  const task = await tx.operations.findForUpdate(id);
  const at = await scope.now();
  if (task === null || task.operation.state !== 'running' || task.dueAt > at) return null;
  await tx.jobSyncs.save(await endLeftSync(scope, state, task, at));
  return tx.operations.find(id);
}

/** Saves the end of a run, with its final counts in its audit entry, if it has changed something. */
export async function saveEnd(
  scope: Scope,
  task: OperationTask,
  state: SyncEnd['state'],
  lastError: string | null,
  at: Instant,
): Promise<Operation> {
  const total = task.operation.counts.done + task.operation.counts.skipped;
  const operation: Operation = {
    ...task.operation,
    counts: { ...task.operation.counts, total },
    state,
    lastError,
    updatedAt: at,
    finishedAt: at,
  };
  await scope.tx.operations.save({ ...task, operation, dueAt: at });
  if (changesIn(operation.sync ?? NO_SYNC_COUNTS) > 0) recordSync(scope, operation, []);
  return operation;
}

/** A run is one act, which grows with each commit. */
function recordSync(
  scope: Scope,
  { id, plan, startedBy, sync }: Operation,
  changed: readonly Pick<Job, 'id'>[],
): void {
  const { highPay: _, ...after } = sync ?? NO_SYNC_COUNTS;
  recordAct(
    { ...scope, act: 'jobs.syncs.run', actor: startedBy },
    {
      objects: [{ kind: 'operation', id }, ...changed.map(objectOfJob)],
      entryId: entryOfOperation(id),
      count: changed.length,
      filter: filterOfPlan(plan),
      after,
    },
  );
}
