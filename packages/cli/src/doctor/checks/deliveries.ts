import { onBoth } from '../check.js';
import type { DoctorDatabase } from '../database/open-database.js';
import { failed, ok, warning } from '../report.js';
import { atMost, describeMs, MOST_COUNTED, plural } from './words.js';

type Reading = Pick<DoctorDatabase, 'rows' | 'prefix'>;

/** What has waited longest for a worker. */
interface Waiting {
  readonly at: number;
  readonly what: string;
}

/**
 * Returns the due delivery of an active endpoint that has waited longest. Jumps from key to key in an index, as
 * the worker's poll does.
 */
async function findOldestDue({ rows, prefix: t }: Reading, now: number): Promise<Waiting | null> {
  const [due] = await rows<{ key_id: string; at: number }>(
    `with recursive walked(id) as (
       select (select d.key_id from ${t}ph_delivery d where d.state = 'pending' order by d.key_id limit 1)
       union all
       select (select d.key_id from ${t}ph_delivery d
                where d.state = 'pending' and d.key_id > walked.id order by d.key_id limit 1)
         from walked where walked.id is not null
     ), oldest as (
       select e.key_id, (select d.due_at from ${t}ph_delivery d
                          where d.state = 'pending' and d.key_id = e.key_id order by d.due_at limit 1) as at
         from walked join ${t}ph_endpoint e on e.key_id = walked.id and e.state = 'active'
     )
     select key_id, at from oldest where at <= ${now} order by at limit 1`,
  );
  return due === undefined ? null : { at: due.at, what: `a delivery of the key ${due.key_id}` };
}

/** Returns the unsent event of an active endpoint that has waited longest. Reads only the feeds that changed. */
async function findOldestUnsent({ rows, prefix: t }: Reading): Promise<Waiting | null> {
  const [unsent] = await rows<{ key_id: string; at: number }>(
    `with oldest as (
       select e.key_id, (select v.at from ${t}ph_event v
                          where v.key_id = e.key_id and v.at > e.watermark order by v.at limit 1) as at
         from ${t}ph_feed_head h join ${t}ph_endpoint e on e.key_id = h.key_id and e.state = 'active'
        where h.unchecked = 1
     )
     select key_id, at from oldest where at is not null order by at limit 1`,
  );
  return unsent === undefined ? null : { at: unsent.at, what: `an event of the key ${unsent.key_id}` };
}

/** The other work of a worker, each with its first row in the order of an index. */
const OTHER_WORK = [
  { what: 'an alert', sql: (t: string) => `select at from ${t}ph_alert order by at, id limit 1` },
  {
    what: 'a résumé to download',
    sql: (t: string) => `select due_at as at from ${t}ph_resume_task order by due_at, application_id limit 1`,
  },
  {
    what: 'an operation',
    sql: (t: string) =>
      `select due_at as at from ${t}ph_operation where state = 'running' order by due_at, id limit 1`,
  },
] as const;

async function findWaiting(database: Reading, now: number): Promise<readonly Waiting[]> {
  const others = OTHER_WORK.map(async ({ what, sql }) => {
    const [first] = await database.rows<{ at: number }>(sql(database.prefix));
    return first === undefined ? null : { at: first.at, what };
  });
  const found = [
    await findOldestDue(database, now),
    await findOldestUnsent(database),
    ...(await Promise.all(others)),
  ];
  return found.filter((each) => each !== null).sort((a, b) => a.at - b.at);
}

/** Returns whether a worker holds a lease. */
async function isAnyLeased({ rows, prefix: t }: Reading, now: number): Promise<boolean> {
  const [held] = await rows<{ held: number }>(
    `select case when exists (select 1 from ${t}ph_endpoint where lease_until > ${now})
       or exists (select 1 from ${t}ph_resume_task where lease_until > ${now})
       or exists (select 1 from ${t}ph_alert where lease_until > ${now}) then 1 else 0 end as held`,
  );
  return held?.held === 1;
}

/** Returns when the first sleeping worker wakes, by its own announcement. Null if none sleeps. */
export async function nextWakeAt({ rows, prefix: t }: Reading, now: number): Promise<number | null> {
  const [first] = await rows<{ at: number | null }>(
    `select min(sleeps_until) as at from ${t}ph_worker where sleeps_until >= ${now}`,
  );
  return first?.at ?? null;
}

/** Does a worker run? Due work that no worker has leased for minutes says no. */
export const WORKER = onBoth('worker', ['schema-version'], async (database, { limits, storageNow }) => {
  const now = await storageNow();
  const [oldest] = await findWaiting(database, now);
  if (oldest === undefined) return ok('No work waits for a worker.');
  const waitedMs = now - oldest.at;
  if (waitedMs <= limits.workerMs) return ok('No work waits for long.');
  if (await isAnyLeased(database, now)) return ok('A worker holds a lease.');
  const wakesAt = await nextWakeAt(database, now);
  if (wakesAt !== null) return ok(`A worker sleeps, and wakes in ${describeMs(wakesAt - now)}.`);
  return failed(
    `No worker runs: ${oldest.what} has waited for ${describeMs(waitedMs)}, and no worker holds a lease.`,
    'Call `partnerHiring.worker.start()` in a process that keeps running. If one does, its log says why it does not work.',
  );
});

/** Do deliveries wait for long? */
export const DELIVERIES = onBoth(
  'deliveries',
  ['schema-version'],
  async (database, { limits, storageNow }) => {
    const now = await storageNow();
    const found = [await findOldestDue(database, now), await findOldestUnsent(database)];
    const [oldest] = found.filter((each) => each !== null).sort((a, b) => a.at - b.at);
    if (oldest === undefined) return ok('No delivery is due.');
    const waitedMs = Math.max(0, now - oldest.at);
    const finding = `The oldest due delivery has waited for ${describeMs(waitedMs)}: it is ${oldest.what}.`;
    const fix =
      'See the checks `worker` and `sealing-key`. If a worker runs, run more of them, or raise `worker.maxInFlight`.';
    if (waitedMs > limits.waitingFailureMs) return failed(finding, fix);
    if (waitedMs > limits.waitingWarningMs) return warning(finding, fix);
    return ok(finding);
  },
);

/** Are there dead letters? */
export const DEAD_LETTERS = onBoth('dead-letters', ['schema-version'], async ({ rows, prefix: t }) => {
  const [found] = await rows<{ count: number }>(
    `select count(*) as count from (select event_at from ${t}ph_delivery where state = 'dead'
       order by event_at, event_id limit ${MOST_COUNTED + 1}) as dead`,
  );
  const count = found?.count ?? 0;
  if (count === 0) return ok('There are no dead letters.');
  return warning(
    `${atMost(count)} ${count === 1 ? 'delivery has' : 'deliveries have'} failed ten times and will not be sent again.`,
    'Find the reason with `deliveries list --state dead`. Then run `deliveries redeliver`, or `deliveries cancel`.',
  );
});

/** The partners of endpoints, by the name that people know. */
const WITH_PARTNER = (t: string) =>
  `from ${t}ph_endpoint e join ${t}ph_partner_key k on k.id = e.key_id join ${t}ph_partner p on p.id = k.partner_id`;

/** Are endpoints failing or paused? */
export const ENDPOINTS = onBoth('endpoints', ['schema-version'], async ({ rows, prefix: t }) => {
  const failing = await rows<{ key_id: string; name: string }>(
    `select e.key_id, p.name ${WITH_PARTNER(t)} where e.first_failure_at is not null and e.state = 'active'
     order by e.first_failure_at, e.key_id limit ${MOST_COUNTED + 1}`,
  );
  const paused = await rows<{ key_id: string; name: string; reason: string }>(
    `select e.key_id, p.name, e.paused_reason as reason ${WITH_PARTNER(t)} where e.state = 'paused'
     order by e.key_id limit ${MOST_COUNTED + 1}`,
  );
  const byFailures = paused.filter(({ reason }) => reason !== 'operator');
  const byOperator = paused.length - byFailures.length;
  const onPurpose =
    byOperator === 0 ? '' : ` An operator has paused ${plural(byOperator, 'endpoint', 'endpoints')}.`;
  if (failing.length + byFailures.length === 0) {
    return ok(`No endpoint is failing, and none was paused by failures.${onPurpose}`);
  }
  const some = [...byFailures, ...failing]
    .slice(0, MOST_NAMED)
    .map(({ key_id, name }) => `${name} (${key_id})`);
  return warning(
    `${atMost(failing.length)} endpoints are failing, and ${atMost(byFailures.length)} were paused by failures: ${some.join(', ')}.${onPurpose}`,
    'Tell the partners. `endpoints failing` shows why. When a paused endpoint works again, run `endpoints resume`.',
  );
});

const MOST_NAMED = 3;

/** Does the host accept its alerts? */
export const ALERTS = onBoth(
  'alerts',
  ['schema-version'],
  async ({ rows, prefix: t }, { limits, storageNow }) => {
    const [oldest] = await rows<{ at: number; kind: string }>(
      `select at, kind from ${t}ph_alert order by at, id limit 1`,
    );
    const waitedMs = oldest === undefined ? 0 : (await storageNow()) - oldest.at;
    if (oldest === undefined || waitedMs <= limits.lateMs) return ok('No alert waits for long.');
    return warning(
      `An alert (${oldest.kind}) has waited for ${describeMs(waitedMs)}.`,
      'See the check `worker`. If a worker runs, your function `alert` rejects: its log has the error.',
    );
  },
);
