import { LATE_AFTER_MS, type StatusPart } from '../../report/status-part.js';

/** Alerts that wait for the host. */
export const alertStatus: StatusPart = {
  waits: [
    {
      name: 'alerts',
      limitMs: LATE_AFTER_MS,
      what: 'an alert',
      since: ({ waiting }) => waiting.oldestAlertAt,
      finding: (duration) => `An alert has waited for ${duration}.`,
      fix: 'If a worker runs, your function `alert` rejects: its log has the error.',
    },
  ],
};
