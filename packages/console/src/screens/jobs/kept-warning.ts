import type { Job } from '@partner-hiring/core';
import { countText } from '../../view/parts.js';

/** Warns before open jobs are closed or archived that a job source keeps in step. Null if it keeps none of them. */
export function keptWarning(jobs: readonly Pick<Job, 'state' | 'syncedIn'>[]): string | null {
  const kept = jobs.filter(({ state, syncedIn }) => state === 'open' && syncedIn !== null).length;
  if (kept === 0) return null;
  if (jobs.length === 1) {
    return 'The job source keeps this job in step. If the source still lists it, the next run opens it again. To keep the job closed, remove it from the source.';
  }
  const which = kept === jobs.length ? 'these jobs' : `${countText(kept)} of these jobs`;
  return `The job source keeps ${which} in step. The next run opens each job again that the source still lists. To keep jobs closed, remove them from the source.`;
}
