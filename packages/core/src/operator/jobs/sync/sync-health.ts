import type { SyncAlert, SyncAlertHead } from '../../../domain/alert.js';
import { type JobSyncState, NO_SYNC_COUNTS, type SyncTrouble, troublesOf } from '../../../domain/job-sync.js';
import type { Operation } from '../../../domain/operation.js';
import type { Instant } from '../../../domain/time.js';
import type { Scope } from '../../scope.js';

/** How a run ended. */
export type EndedRun = Pick<Operation, 'id' | 'sync' | 'lastError'> & {
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
  const [had, has] = [troublesOf(before), troublesOf(after)];
  const head = <Kind extends string>(kind: Kind): SyncAlertHead<Kind> => ({
    id: scope.runtime.ids.next('alert'),
    kind,
    at,
    operationId: run.id,
  });
  const alerts: SyncAlert[] = has
    .filter((trouble) => !had.includes(trouble))
    .map((trouble) => ({ ...head(`jobs_sync_${trouble}`), ...factsOf(trouble, after, run) }) as SyncAlert);
  const ended = had.filter((trouble) => !has.includes(trouble));
  if (ended.length > 0) alerts.push({ ...head('jobs_sync_recovered'), ended });
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
  return { ...before, isHeld, failures: 0, goodAt: at, refusedRows, heldJobs: isHeld ? missing : 0 };
}

function factsOf(trouble: SyncTrouble, { failures, goodAt, refusedRows }: JobSyncState, run: EndedRun) {
  const { missing, open } = run.sync ?? NO_SYNC_COUNTS;
  if (trouble === 'held') return { missing, open };
  return trouble === 'failed' ? { failures, goodAt, lastError: run.lastError } : { refused: refusedRows };
}
