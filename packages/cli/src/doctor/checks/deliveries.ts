import { onBoth, onStorage } from '../check.js';
import type { OpenedStorage } from '../database/open-storage.js';
import { failed, ok, warning } from '../report.js';
import { findFirst, type Queue } from './queues.js';
import { describeMs, MOST_COUNTED, plural } from './words.js';

/** What has waited longest for a worker. */
interface Waiting {
  readonly at: number;
  readonly what: string;
}

/** The operator does not list the rows of these queues. */
const OTHER_WORK: readonly { readonly what: string; readonly queue: Queue }[] = [
  { what: 'an alert', queue: 'ph_alert' },
  { what: 'a résumé to download', queue: 'ph_resume_task' },
];

async function findOperation({ operator }: OpenedStorage): Promise<readonly Waiting[]> {
  const { items } = await operator.operations.list({ state: 'running' });
  return items.map(({ updatedAt }) => ({ at: updatedAt, what: 'an operation' }));
}

/** Does a worker run? Its heartbeat says so. */
export const WORKER = onStorage('worker', async (storage, { database, limits }) => {
  const { at: now, workers, backlog } = await storage.status();
  const alive = workers.filter(({ isAlive }) => isAlive).length;
  if (alive > 0) return ok(`${plural(alive, 'worker runs', 'workers run')}.`);
  const others = OTHER_WORK.map(async ({ what, queue }) => ({ what, at: await findFirst(database, queue) }));
  const found = [
    { what: 'a delivery', at: backlog.oldestDueAt },
    ...(await findOperation(storage)),
    ...(await Promise.all(others)),
  ];
  const [oldest] = found
    .flatMap(({ what, at }) => (at === null ? [] : [{ what, waitedMs: now - at }]))
    .sort((a, b) => b.waitedMs - a.waitedMs);
  if (oldest === undefined) return ok('No work waits for a worker.');
  if (oldest.waitedMs <= limits.workerMs) return ok('No work waits for long.');
  return failed(
    `No worker runs: ${oldest.what} has waited for ${describeMs(oldest.waitedMs)}, and no worker was seen for 90 seconds.`,
    'Call `partnerHiring.worker.start()` in a process that keeps running. If one does, its log says why it does not work.',
  );
});

/** Do deliveries wait for long? */
export const DELIVERIES = onStorage('deliveries', async ({ status }, { limits }) => {
  const { oldestDueMs: waitedMs } = (await status()).backlog;
  if (waitedMs === null) return ok('No delivery is due.');
  const finding = `The oldest due delivery has waited for ${describeMs(waitedMs)}.`;
  const fix =
    'See the checks `worker` and `sealing-key`. `deliveries count` says whose it is. If a worker runs, run more of them, or raise `worker.maxInFlight`.';
  if (waitedMs > limits.waitingFailureMs) return failed(finding, fix);
  if (waitedMs > limits.waitingWarningMs) return warning(finding, fix);
  return ok(finding);
});

/** Are there dead letters? */
export const DEAD_LETTERS = onStorage('dead-letters', async ({ status }) => {
  const { dead, isExact } = (await status()).backlog;
  if (dead === 0) return ok('There are no dead letters.');
  return warning(
    `${isExact ? '' : 'At least '}${dead} ${dead === 1 ? 'delivery has' : 'deliveries have'} failed ten times and will not be sent again.`,
    'Find the reason with `deliveries list --state dead`. Then run `deliveries redeliver`, or `deliveries cancel`.',
  );
});

/** Are endpoints failing or paused? */
export const ENDPOINTS = onStorage('endpoints', async ({ operator, status }) => {
  const { failing, paused } = (await status()).endpoints;
  const also = paused === 0 ? '' : ` ${plural(paused, 'endpoint is', 'endpoints are')} paused.`;
  if (failing === 0) return ok(`No endpoint is failing.${also}`);
  const { items } = await operator.endpoints.listFailing({ limit: MOST_NAMED });
  const some = items.map(({ partnerName, keyId, state }) => `${partnerName} (${keyId}${pauseOf(state)})`);
  const count = failing < MOST_COUNTED ? String(failing) : `At least ${MOST_COUNTED}`;
  return warning(
    `${count} ${failing === 1 ? 'endpoint is' : 'endpoints are'} failing: ${some.join(', ')}.${also}`,
    'Tell the partners. `endpoints failing` shows why. When a paused endpoint works again, run `endpoints resume`.',
  );
});

const MOST_NAMED = 3;

function pauseOf(state: { readonly kind: string; readonly reason?: string }): string {
  return state.reason === undefined ? '' : `, paused: ${state.reason}`;
}

/** Does the host accept its alerts? */
export const ALERTS = onBoth('alerts', ['schema-version'], async (database, { limits, storageNow }) => {
  const oldest = await findFirst(database, 'ph_alert');
  const waitedMs = oldest === null ? 0 : (await storageNow()) - oldest;
  if (waitedMs <= limits.lateMs) return ok('No alert waits for long.');
  return warning(
    `An alert has waited for ${describeMs(waitedMs)}.`,
    'See the check `worker`. If a worker runs, your function `alert` rejects: its log has the error.',
  );
});
