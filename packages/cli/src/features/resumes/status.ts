import { plural } from '../../doctor/checks/words.js';
import { LATE_AFTER_MS, type StatusPart } from '../../report/status-part.js';

/** Résumés to download or to remove. */
export const resumeStatus: StatusPart = {
  waits: [
    {
      name: 'resume-downloads',
      limitMs: LATE_AFTER_MS,
      what: 'a résumé to download',
      since: ({ waiting }) => waiting.oldestDownloadAt,
      finding: (duration) => `The download of a résumé is ${duration} late. Partners' links expire.`,
      fix: 'If a worker runs, raise `worker.resumeConcurrency`.',
    },
    {
      name: 'resume-removals',
      limitMs: LATE_AFTER_MS,
      since: ({ waiting }) => waiting.oldestRemovalAt,
      finding: (duration, { waiting: { removals } }) =>
        `The résumés of ${plural(removals, 'erased candidate', 'erased candidates')} are still stored, the first for ${duration}.`,
      fix: "If a worker runs, add `remove` to `resumeSink`, or fix its error: the worker's log has it.",
    },
  ],
};
