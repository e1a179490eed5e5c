import type { JobSyncResult, MissingJobs, Operation, SyncCounts } from '@partner-hiring/core';
import { terminalText } from '../../report/terminal-text.js';

/** Describes how far an operation is. */
export function describeProgress({ counts: { done, skipped, total }, failed }: Operation): string {
  const of = total === null ? '' : ` of ${total}`;
  const not = failed === null || failed.count === 0 ? '' : `, ${failed.count} failed`;
  return `${done}${of} done${skipped === 0 ? '' : `, ${skipped} skipped`}${not}`;
}

/** Describes the changes of a sync, such as `2 added, 1 updated, 0 reopened, 1 closed, 40 unchanged, 0 refused`. */
export function countsText(
  { added, updated, reopened, closed, unchanged }: Omit<SyncCounts, 'refused'>,
  refused: number,
  missing: MissingJobs,
): string {
  const gone = missing === 'archive' ? 'archived' : 'closed';
  return `${added} added, ${updated} updated, ${reopened} reopened, ${closed} ${gone}, ${unchanged} unchanged, ${refused} refused`;
}

/** Describes the progress or the result of an operation if it is a sync. Null for other operations. */
export function operationCounts({ plan, sync }: Operation): string | null {
  if (sync === null || plan.kind !== 'sync_jobs') return null;
  return countsText(sync, sync.refused, plan.missing);
}

/** Says that a run has closed nothing, why, and how to go on. */
export function heldText(reason: string | null, operationId: JobSyncResult['operationId']): string {
  const why = reason === null ? '' : ` ${terminalText(reason)}`;
  const next =
    operationId === null
      ? 'After a run, its output says how to close them.'
      : `See which jobs: jobs held. If they are really gone: jobs sync-soon --apply-held ${operationId}`;
  return `Held: no missing job is closed.${why} Check the source. ${next}`;
}
