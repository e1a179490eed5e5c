import { INBOX_IS_OFF } from '@partner-hiring/core';
import { onBoth } from '../check.js';
import { DAY_MS, MINUTE_MS } from '../limits.js';
import { failed, ok, skipped, warning } from '../report.js';
import { nextWakeAt } from './deliveries.js';
import { atMost, describeMs, MOST_COUNTED, plural } from './words.js';

/** Who erased candidates while the inbox is off is reminded for so long. */
const ERASED_MS = 30 * DAY_MS;

/** Does the host receive its inbox? */
export const INBOX = onBoth(
  'inbox',
  ['schema-version'],
  async ({ rows, prefix: t }, { limits, storageNow }) => {
    const [inbox] = await rows<{ is_on: number }>(`select is_on from ${t}ph_inbox_switch where id = 1`);
    const now = await storageNow();
    if (inbox?.is_on !== 1) {
      const [erased] = await rows<{ count: number }>(
        `select count(*) as count from (select 1 as one from ${t}ph_application where erased_at > ${now - ERASED_MS}
           limit ${MOST_COUNTED + 1}) as erased`,
      );
      const count = erased?.count ?? 0;
      if (count === 0) return skipped('The inbox is off.');
      return skipped(
        `${INBOX_IS_OFF} ${atMost(count)} ${count === 1 ? 'application was' : 'applications were'} erased in the last 30 days.`,
        'List them with `applications list --erased-since TIME`, or turn the inbox on before you erase.',
      );
    }
    const [fresh] = await rows<{ at: number | null }>(
      `select min(at) as at from (
       select (select e.at from ${t}ph_inbox_entry e
                where e.key_id = h.key_id and e.at > h.position and e.retry_at is null
                order by e.at limit 1) as at
         from ${t}ph_inbox_head h) as each_key`,
    );
    const [retried] = await rows<{ at: number }>(
      `select retry_at as at from ${t}ph_inbox_entry where retry_at is not null order by retry_at, key_id limit 1`,
    );
    const [erased] = await rows<{ at: number }>(
      `select retry_at as at from ${t}ph_inbox_erasure where received_at is null order by retry_at, key_id limit 1`,
    );
    const waitedMs = Math.max(0, now - Math.min(...[fresh, retried, erased].map((each) => each?.at ?? now)));
    const finding = `The oldest item of the inbox has waited for ${describeMs(waitedMs)}.`;
    const fix =
      'See the check `worker`. If a worker runs, your function `receive` rejects or is slow: its log has the error.';
    if (waitedMs > limits.waitingFailureMs) return failed(finding, fix);
    if (waitedMs > limits.waitingWarningMs) return warning(finding, fix);
    return ok('No item of the inbox waits for long.');
  },
);

/** Has the host refused items for a day? */
export const INBOX_PARKED = onBoth('inbox-parked', ['schema-version'], async ({ rows, prefix: t }) => {
  // Parked entries are last in this index.
  const [found] = await rows<{ count: number }>(
    `select count(*) as count from (select parked_at from ${t}ph_inbox_entry where retry_at is not null
       order by retry_at desc limit ${MOST_COUNTED + 1}) as last where parked_at is not null`,
  );
  const [erasures] = await rows<{ count: number }>(
    `select count(*) as count from (select parked_at from ${t}ph_inbox_erasure where received_at is null
       order by retry_at desc limit ${MOST_COUNTED + 1}) as last where parked_at is not null`,
  );
  const count = (found?.count ?? 0) + (erasures?.count ?? 0);
  if (count === 0) return ok('No item of the inbox is parked.');
  return warning(
    `${atMost(count)} ${count === 1 ? 'item' : 'items'} of the inbox are parked, because the host refused them for a day.`,
    'Read the errors with `inbox parked`, fix the cause, and run `inbox retry-all`.',
  );
});

interface OperationRow {
  readonly id: string;
  readonly due_at: number;
  readonly failures: number;
}

/** Do long commands go on? */
export const OPERATIONS = onBoth(
  'operations',
  ['schema-version'],
  async ({ rows, prefix: t }, { limits, storageNow }) => {
    const now = await storageNow();
    const running = await rows<OperationRow>(
      `select id, due_at, failures from ${t}ph_operation where state = 'running' order by due_at, id limit 100`,
    );
    const [stuck] = running.filter(({ due_at }) => now - due_at > limits.lateMs);
    if (stuck !== undefined) {
      return failed(
        `The operation ${stuck.id} has not continued for ${describeMs(now - stuck.due_at)}.`,
        'See the check `worker`. An operation continues as soon as a worker runs.',
      );
    }
    const failing = running.find(({ failures }) => failures > 0);
    if (failing !== undefined) {
      return warning(
        `The last ${plural(failing.failures, 'step', 'steps')} of the operation ${failing.id} failed. It is given up after ten.`,
        `Read its error with \`operations show ${failing.id}\`, and fix the cause.`,
      );
    }
    const [given] = await rows<{ id: string }>(
      `select id from ${t}ph_operation where finished_at > ${now - DAY_MS} and state = 'failed'
       order by finished_at desc limit 1`,
    );
    if (given === undefined)
      return ok(`${plural(running.length, 'operation runs', 'operations run')}, none is stuck.`);
    return warning(
      `The operation ${given.id} was given up in the last 24 hours.`,
      `Read its error with \`operations show ${given.id}\`, fix the cause, and start it again.`,
    );
  },
);

/** Are résumés downloaded? */
export const RESUME_DOWNLOADS = onBoth(
  'resume-downloads',
  ['schema-version'],
  async ({ rows, prefix: t }, { limits, storageNow }) => {
    const [oldest] = await rows<{ due_at: number }>(
      `select due_at from ${t}ph_resume_task order by due_at, application_id limit 1`,
    );
    const lateMs = oldest === undefined ? 0 : (await storageNow()) - oldest.due_at;
    if (lateMs <= limits.lateMs) return ok('No download of a résumé is late.');
    return failed(
      `The download of a résumé is ${describeMs(lateMs)} late. Partners' links expire.`,
      'See the check `worker`. If a worker runs, raise `worker.resumeConcurrency`.',
    );
  },
);

/** After so many attempts, the sink does not only have an outage. */
const MANY_ATTEMPTS = 5;

/** Are the résumés of erased candidates removed? */
export const RESUME_REMOVALS = onBoth(
  'resume-removals',
  ['schema-version'],
  async ({ rows, prefix: t }, { limits, storageNow }) => {
    const waiting = await rows<{ attempts: number; due_at: number }>(
      `select attempts, due_at from ${t}ph_resume_removal order by due_at, application_id limit ${MOST_COUNTED}`,
    );
    const now = await storageNow();
    const refused = waiting.filter(({ attempts }) => attempts >= MANY_ATTEMPTS);
    if (refused.length > 0) {
      return failed(
        `The résumés of ${plural(refused.length, 'erased candidate', 'erased candidates')} are still stored: the sink has failed to remove them ${MANY_ATTEMPTS} times or more.`,
        "Add `remove` to `resumeSink`, or fix its error: the worker's log has it.",
      );
    }
    const late = waiting.filter(({ due_at }) => now - due_at > limits.lateMs);
    if (late.length > 0) {
      return failed(
        `The removal of ${plural(late.length, 'résumé', 'résumés')} is late.`,
        'See the check `worker`. A worker removes the résumés of erased candidates.',
      );
    }
    return ok('No removal of a résumé is late.');
  },
);

/** A window of the rate limits is deleted when the next one has ended. */
const WINDOW_KEPT_MS = 3 * MINUTE_MS;

/** Are expired rows deleted? Looks at the two kinds whose retention does not depend on options. */
export const SWEEPS = onBoth('sweeps', ['schema-version'], async (database, { limits, storageNow }) => {
  const { rows, prefix: t } = database;
  const now = await storageNow();
  const [key] = await rows<{ at: number }>(
    `select expires_at as at from ${t}ph_idempotency order by expires_at limit 1`,
  );
  const [window] = await rows<{ at: number }>(
    `select window_start as at from ${t}ph_rate_window order by window_start, bucket_id limit 1`,
  );
  const lateMs = Math.max(
    key === undefined ? 0 : now - key.at,
    window === undefined ? 0 : now - window.at - WINDOW_KEPT_MS,
  );
  if (lateMs > limits.sweepWarningMs && (await nextWakeAt(database, now)) !== null) {
    return ok('A worker sleeps, and deletes expired rows when it wakes.');
  }
  const finding = `Expired rows are ${describeMs(Math.max(0, lateMs))} late to be deleted.`;
  const fix =
    'See the check `worker`. If a worker runs, its log has the error: a trigger or constraint of yours may refuse the deletion.';
  if (lateMs > limits.sweepFailureMs) return failed(finding, fix);
  if (lateMs > limits.sweepWarningMs) return warning(finding, fix);
  return ok('Expired rows are deleted in time.');
});
