import { plural } from '../../doctor/checks/words.js';
import { moment } from '../../report/report.js';
import type { StatusPart } from '../../report/status-part.js';

/** Syncs of jobs that were held, that failed, or that refused rows. */
export const jobSyncStatus: StatusPart = {
  needs: async ({ operator }) => {
    const { operation, isHeld, failures, goodAt, refusedRows } = await operator.jobs.syncs.last({
      refusedLimit: 0,
    });
    const reason = operation?.state === 'held' ? ` ${operation.lastError ?? ''}` : '';
    const last = failures === 1 ? 'The last sync of jobs' : `The last ${failures} syncs of jobs`;
    return [
      isHeld && {
        name: 'jobs-sync',
        finding: `A sync of jobs was held, so no missing job was closed.${reason}`,
        fix: 'Check the source. `jobs last-sync` shows the run. If the jobs are really gone, run `jobs sync-soon --apply-held` with its id.',
      },
      failures > 0 && {
        name: 'jobs-sync-failed',
        finding: `${last} failed. The jobs may be behind their source since ${moment(goodAt)}.`,
        fix: 'See `jobs last-sync`. The log of the process that ran it has the error of the source.',
      },
      refusedRows > 0 && {
        name: 'jobs-sync-refused',
        finding: `The last good sync of jobs refused ${plural(refusedRows, 'row', 'rows')} of its source.`,
        fix: 'See `jobs last-sync`, and fix the rows in the source.',
      },
    ];
  },
};
