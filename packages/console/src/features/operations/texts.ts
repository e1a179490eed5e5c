import type { BulkAct, Operation, OperationPlan } from '@partner-hiring/core';

const NAMES: Readonly<Record<Exclude<OperationPlan['kind'], 'bulk'> | BulkAct, string>> = {
  resend: 'Resend events of a key',
  retry_now: 'Retry now what waits',
  resend_partner: 'Resend events of a partner',
  erase: 'Erase candidates',
  publish_jobs: 'Publish jobs',
  close_jobs: 'Close all jobs of a company',
  sync_jobs: 'Bring jobs in step with their source',
  'applications.decide': 'Decide on applications',
  'access.grant': 'Grant keys access to a company',
  'access.revoke': 'Revoke access of keys to a company',
  'endpoints.pause': 'Pause endpoints',
  'endpoints.resume': 'Resume endpoints',
  'deliveries.resend': 'Resend events of endpoints',
};

/** Says what an operation does. */
export function operationName(plan: OperationPlan): string {
  return NAMES[plan.kind === 'bulk' ? plan.act : plan.kind];
}

type Progress = Pick<Operation, 'state' | 'counts' | 'failed'>;

/** Returns the progress of an operation in percent, from 0 to 100. Null if the total number of items is unknown. */
export function percentOf({ state, counts: { done, skipped, total }, failed }: Progress): number | null {
  if (state === 'done') return 100;
  if (total === null || total === 0) return null;
  return Math.min(100, Math.floor(((done + skipped + (failed?.count ?? 0)) / total) * 100));
}

/** An operation without items: `0 of 0` would say nothing. */
const WITHOUT_ITEMS: Readonly<Record<Operation['state'], string>> = {
  running: 'begins',
  done: 'nothing to do',
  stopped: 'nothing done',
  held: 'nothing done',
  failed: 'nothing done',
};

/** Writes the progress, such as `1,200 of 40,000 (3 %)`. */
export function progressText(operation: Progress): string {
  const { done, skipped, total } = operation.counts;
  const count = done + skipped + (operation.failed?.count ?? 0);
  if (count === 0 && total === 0) return WITHOUT_ITEMS[operation.state];
  const percent = percentOf(operation);
  const handled = count.toLocaleString('en-US');
  const all = total === null ? '' : ` of ${total.toLocaleString('en-US')}`;
  return `${handled}${all}${percent === null ? '' : ` (${percent} %)`}`;
}
