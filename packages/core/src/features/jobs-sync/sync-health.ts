import type { SyncAlert, SyncTrouble } from '../../domain/alert.js';
import type { Operation } from '../../domain/operation.js';
import { NO_SYNC_COUNTS } from '../../domain/sync-counts.js';
import type { Instant } from '../../domain/time.js';
import type { Scope } from '../../operator/scope.js';
import { type JobSyncState, troublesOf } from './rules.js';

export type EndedRun = Pick<Operation, 'id' | 'sync' | 'lastError' | 'createdAt'> & {
  readonly state: Exclude<Operation['state'], 'running'>;
};

/**
 * Returns the state after a run has ended, and raises an alert for each trouble that begins, and one for those that end.
 * A stopped run says nothing about its source. Lock the state first.
 */
export async function noteEnd(
  scope: Scope,
  before: JobSyncState,
  run: EndedRun,
  at: Instant,
): Promise<JobSyncState> {
  const after = stateAfter(before, run, at);
  const had = troublesOf(before);
  const has = troublesOf(after);
  const head = () => ({ id: scope.runtime.ids.next('alert'), at, operationId: run.id });
  const alerts: SyncAlert[] = has
    .filter((trouble) => !had.includes(trouble))
    .map((trouble) => ({ ...head(), ...factsOf(trouble, after, run) }));
  const ended = had.filter((trouble) => !has.includes(trouble));
  if (ended.length > 0) alerts.push({ ...head(), kind: 'jobs_sync_recovered', ended });
  if (alerts.length === 0) return after;
  await scope.tx.alerts.add(alerts);
  scope.workIsDue();
  return after;
}

function stateAfter(before: JobSyncState, { state, sync }: EndedRun, at: Instant): JobSyncState {
  if (state === 'stopped') return before;
  if (state === 'failed') return { ...before, failures: before.failures + 1 };
  const { refused: refusedRows, missing } = sync ?? NO_SYNC_COUNTS;
  const isHeld = state === 'held';
  return {
    ...before,
    isHeld,
    failures: 0,
    goodAt: at,
    refusedRows,
    refusedAt: refusedRows > 0 ? (before.refusedAt ?? at) : null,
    heldJobs: isHeld ? missing : 0,
    heldAt: isHeld ? (before.heldAt ?? at) : null,
  };
}

function factsOf(trouble: SyncTrouble, { failures, goodAt, refusedRows }: JobSyncState, run: EndedRun) {
  const { missing, open } = run.sync ?? NO_SYNC_COUNTS;
  const { lastError } = run;
  if (trouble === 'held') return { kind: 'jobs_sync_held', missing, open } as const;
  if (trouble === 'refused_rows') return { kind: 'jobs_sync_refused_rows', refused: refusedRows } as const;
  return { kind: 'jobs_sync_failed', failures, goodAt: goodAt ?? run.createdAt, lastError } as const;
}
