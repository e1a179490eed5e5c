import type { JobSyncResult, MissingJobs, Operation, RefusedRow, SyncCounts } from '@partner-hiring/core';
import { tableReport } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';

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
      : `If they are really gone: jobs sync-soon --apply-held ${operationId}`;
  return `Held: no missing job is closed.${why} Check the source. ${next}`;
}

/** The command prints the first refused rows as a table. `--json` prints up to 1,000 of them. */
const MOST_SHOWN = 20;

/** Describes the first refused rows. Empty without any. */
export function refusedText(refused: readonly RefusedRow[], count: number): string {
  if (refused.length === 0) return '';
  const shown = refused.slice(0, MOST_SHOWN);
  const table = tableReport(
    shown,
    { REFUSED: ({ id }) => id, CODE: ({ code }) => code, WHY: ({ message }) => message },
    '',
  ).text;
  const more = count - shown.length;
  return more === 0 ? table : `${table}\n… and ${more} more. --json prints the first 1,000.`;
}

/** Joins the parts of a report that are not empty. */
export function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}
