import { INBOX_IS_OFF } from '@partner-hiring/core';
import { onBoth, onStorage } from '../check.js';
import { DAY_MS, MINUTE_MS } from '../limits.js';
import { failed, ok, skipped, warning } from '../report.js';
import { findFirst } from './queues.js';
import { atMost, describeMs, MOST_COUNTED, plural } from './words.js';

/** Who erased candidates while the inbox is off is reminded for so long. */
const ERASED_MS = 30 * DAY_MS;

/** Does the host receive its inbox? */
export const INBOX = onStorage('inbox', async ({ operator, status }, { limits }) => {
  const { at: now, inbox } = await status();
  if (!inbox.isOn) {
    const { items, nextCursor } = await operator.applications.list({
      erasedSince: now - ERASED_MS,
      limit: MOST_COUNTED,
    });
    const count = nextCursor === null ? items.length : MOST_COUNTED + 1;
    if (count === 0) return skipped('The inbox is off.');
    return skipped(
      `${INBOX_IS_OFF} ${atMost(count)} ${count === 1 ? 'application was' : 'applications were'} erased in the last 30 days.`,
      'List them with `applications list --erased-since TIME`, or turn the inbox on before you erase.',
    );
  }
  const waitedMs = Math.max(0, now - (inbox.oldestUnreadAt ?? now));
  const finding = `The oldest item of the inbox has waited for ${describeMs(waitedMs)}.`;
  const fix =
    'See the check `worker`. If a worker runs, your function `receive` rejects or is slow: its log has the error.';
  if (waitedMs > limits.waitingFailureMs) return failed(finding, fix);
  if (waitedMs > limits.waitingWarningMs) return warning(finding, fix);
  return ok('No item of the inbox waits for long.');
});

/** Has the host refused items for a day? */
export const INBOX_PARKED = onStorage('inbox-parked', async ({ status }) => {
  const { parked, isExact } = (await status()).inbox;
  if (parked === 0) return ok('No item of the inbox is parked.');
  return warning(
    `${isExact ? '' : 'At least '}${parked} ${parked === 1 ? 'item of the inbox is' : 'items of the inbox are'} parked, because the host refused them for a day.`,
    'Read the errors with `inbox parked`, fix the cause, and run `inbox retry-all`.',
  );
});

/** Do long commands go on? */
export const OPERATIONS = onStorage('operations', async ({ operator, status }, { limits }) => {
  const { at: now } = await status();
  const { items: running } = await operator.operations.list({ state: 'running' });
  const stuck = running.find(({ updatedAt }) => now - updatedAt > limits.lateMs);
  if (stuck !== undefined) {
    return failed(
      `The operation ${stuck.id} has not continued for ${describeMs(now - stuck.updatedAt)}.`,
      'See the check `worker`. An operation continues as soon as a worker runs.',
    );
  }
  const failing = running.find(({ lastError }) => lastError !== null);
  if (failing !== undefined) {
    return warning(
      `The last step of the operation ${failing.id} failed. It is given up after ten in a row.`,
      `Read its error with \`operations show ${failing.id}\`, and fix the cause.`,
    );
  }
  const { items } = await operator.operations.list({ state: 'failed' });
  // The check `jobs-sync` looks at the last sync: a run that failed is repeated from its start.
  const given = items.find(
    ({ plan, finishedAt }) => plan.kind !== 'sync_jobs' && finishedAt !== null && now - finishedAt < DAY_MS,
  );
  if (given === undefined)
    return ok(`${plural(running.length, 'operation runs', 'operations run')}, none is stuck.`);
  return warning(
    `The operation ${given.id} was given up in the last 24 hours.`,
    `Read its error with \`operations show ${given.id}\`, fix the cause, and start it again.`,
  );
});

/** Do syncs of jobs end well? */
export const JOBS_SYNC = onStorage('jobs-sync', async ({ operator }) => {
  const { operation, isHeld } = await operator.jobs.lastSync({ refusedLimit: 0 });
  if (isHeld) {
    const reason = operation?.state === 'held' ? operation.lastError : null;
    return warning(
      `A sync of jobs was held, so no missing job was closed.${reason === null ? '' : ` ${reason}`}`,
      'Check the source. `jobs last-sync` shows the run. If the jobs are really gone, run `jobs apply-held-sync`.',
    );
  }
  if (operation?.state === 'failed') {
    return warning(
      `The last sync of jobs, ${operation.id}, failed. No missing job was closed.`,
      'See `jobs last-sync`. The log of the process that ran it has the error of the source.',
    );
  }
  return ok('No sync of jobs is held, and the last one did not fail.');
});

/** Are résumés downloaded? */
export const RESUME_DOWNLOADS = onBoth(
  'resume-downloads',
  ['schema-version'],
  async (database, { limits, storageNow }) => {
    const oldest = await findFirst(database, 'ph_resume_task');
    const lateMs = oldest === null ? 0 : (await storageNow()) - oldest;
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
export const SWEEPS = onStorage('sweeps', async ({ status }, { database, limits }) => {
  const { rows, prefix: t } = database;
  const { at: now, workers } = await status();
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
  if (
    lateMs > limits.sweepWarningMs &&
    workers.some(({ sleepsUntil }) => sleepsUntil !== null && sleepsUntil >= now)
  ) {
    return ok('A worker sleeps, and deletes expired rows when it wakes.');
  }
  const finding = `Expired rows are ${describeMs(Math.max(0, lateMs))} late to be deleted.`;
  const fix =
    'See the check `worker`. If a worker runs, its log has the error: a trigger or constraint of yours may refuse the deletion.';
  if (lateMs > limits.sweepFailureMs) return failed(finding, fix);
  if (lateMs > limits.sweepWarningMs) return warning(finding, fix);
  return ok('Expired rows are deleted in time.');
});
