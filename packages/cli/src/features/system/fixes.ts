import type { OpenAlert } from '@partner-hiring/core';

/** The advice for each alert. */
export const FIXES: Readonly<Record<OpenAlert['name'], string>> = {
  deployment:
    'Decide whether this database is a copy: docs/copies.md. Pass the name of the process as PARTNER_HIRING_DEPLOYMENT to this command too.',
  worker:
    'Call `partnerHiring.worker.start()` in a process that keeps running. If one does, its log says why it does not work.',
  'signing-secrets':
    "The worker's log has the error. Check the key service, or compare the sealing keys with `secrets find`.",
  deliveries:
    '`deliveries count` says whose it is. If a worker runs, check the sealing key with `doctor`, run more workers, or raise `worker.maxInFlight`.',
  alerts: 'If a worker runs, your function `alert` rejects: its log has the error.',
  inbox: 'If a worker runs, your function `receive` rejects or is slow: its log has the error.',
  'resume-downloads': 'If a worker runs, raise `worker.resumeConcurrency`.',
  'resume-removals':
    "If a worker runs, add `remove` to `resumeSink`, or fix its error: the worker's log has it.",
  sweeps:
    'If a worker runs, its log has the error: a trigger or constraint of yours may refuse the deletion.',
  'dead-letters':
    'Find the reason with `deliveries list --state dead`. Then run `deliveries resend`, or `deliveries cancel`.',
  endpoints:
    'Tell the partners. `endpoints failing` shows why. When a paused endpoint works again, run `endpoints resume`.',
  'inbox-parked': 'Read the errors with `inbox list`, fix the cause, and run `inbox retry-all`.',
  operations:
    'An operation continues when a worker runs, and is given up after ten failures in a row. Read its error with `operations show`, and fix the cause.',
  'jobs-sync':
    'Check the source. `jobs held` shows which jobs would close. If they are really gone, run `jobs sync-soon --apply-held` with the id that `jobs last-sync` shows.',
  'jobs-sync-failed': 'See `jobs last-sync`. The log of the process that ran it has the error of the source.',
  'jobs-sync-refused': 'See `jobs last-sync`, and fix the rows in the source.',
};
