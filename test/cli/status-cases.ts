/** Rows that a broken host would leave, and what `status` says of them. */
import type { Filled } from './doctor-stage.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export interface StatusCase {
  readonly name: string;
  readonly sql: (filled: Filled, now: number) => string;
  /** The names of what needs a person. */
  readonly expected: readonly string[];
  readonly says: RegExp;
}

const event = ({ keyId }: Filled, at: number) =>
  `insert into ph_event (key_id, at, id, type, body) values ('${keyId}', ${at}, 'evt_old', 'job.opened', '{}');
   update ph_endpoint set watermark = 0; update ph_feed_head set event_at = at;`;

const delivery = (filled: Filled, at: number, state: string, dueAt: number | null) =>
  `${event(filled, at)} update ph_endpoint set watermark = (select at from ph_feed_head);
   insert into ph_delivery (key_id, event_id, event_at, state, attempts, cycle, due_at)
     values ('${filled.keyId}', 'evt_old', ${at}, '${state}', 3, 1, ${dueAt ?? 'null'});`;

const operation = (at: number, state: string, error: string | null, finishedAt: number | null) =>
  `insert into ph_operation (id, plan, state, done, skipped, failures, created_at, due_at, updated_at, finished_at, last_error)
     values ('op_1', '{"kind":"publish_jobs"}', '${state}', 0, 0, 0, ${at}, ${at}, ${at}, ${finishedAt ?? 'null'},
       ${error === null ? 'null' : `'${error}'`});`;

const sync = (at: number, state: string, isHeld: number, failures = 0, refusedRows = 0) =>
  `insert into ph_operation (id, plan, state, done, skipped, sync, failures, created_at, due_at, updated_at, finished_at,
       last_error)
     values ('op_1', '{"kind":"sync_jobs","missing":"close"}', '${state}', 0, 0,
       '{"added":0,"updated":0,"reopened":0,"closed":0,"unchanged":10,"refused":0,"missing":30,"open":40}', 0, ${at}, ${at},
       ${at}, ${at}, '30 of 40 open jobs were missing.');
   insert into ph_job_sync (name, operation_id, is_held, failures, good_at, refused_rows)
     values ('jobs', 'op_1', ${isHeld}, ${failures}, ${at}, ${refusedRows});`;

const worker = (now: number, sleepsUntil: number | null = null) =>
  `insert into ph_worker (id, name, pid, release, started_at, last_seen_at, sleeps_until)
     values ('wrk_1', 'host', 1, '0.1.0', ${now}, ${now}, ${sleepsUntil ?? 'null'});`;

const entry = ({ keyId, applicationId }: Filled, at: number, columns = '', values = '') =>
  `update ph_inbox_switch set is_on = 1; insert into ph_inbox_head (key_id) values ('${keyId}');
   insert into ph_inbox_entry (key_id, at, application_id, kind${columns})
     values ('${keyId}', ${at}, '${applicationId}', 'application.submitted'${values});`;

const erasure = ({ keyId, applicationId }: Filled, at: number) =>
  `update ph_inbox_switch set is_on = 1;
   insert into ph_inbox_erasure (application_id, key_id, at, retry_at) values ('${applicationId}', '${keyId}', ${at}, ${at});`;

/** A worker that was seen two hours ago, when it announced how long it sleeps. */
const sleeper = (now: number, sleepsUntil: number) =>
  `insert into ph_worker (id, name, pid, release, started_at, last_seen_at, sleeps_until)
     values ('wkr_1', 'host', 1, '0.1.0', ${now - 3 * HOUR_MS}, ${now - 2 * HOUR_MS}, ${sleepsUntil});`;

export const STATUS_CASES: readonly StatusCase[] = [
  {
    name: 'an event that no worker has sent',
    sql: (filled, now) => event(filled, now - 2 * HOUR_MS),
    expected: ['worker', 'deliveries'],
    says: /^worker: No worker was seen for 90 seconds, and a delivery waits\. Since 2.*\(critical\)$/m,
  },
  {
    name: 'a retry that is due for twenty minutes',
    sql: (filled, now) => delivery(filled, now - HOUR_MS, 'pending', now - 20 * MINUTE_MS),
    expected: ['worker', 'deliveries'],
    says: /No worker was seen for 90 seconds, and a delivery waits\. Since 2/,
  },
  {
    name: 'a late delivery while a worker runs',
    sql: (filled, now) =>
      `${delivery(filled, now - 3 * HOUR_MS, 'pending', now - 2 * HOUR_MS)} ${worker(now)}`,
    expected: ['deliveries'],
    says: /^deliveries: A due delivery is not sent\. Since 2.*\(warning\)$/m,
  },
  {
    name: 'a late delivery, but not for a worker that sleeps and has announced when it wakes',
    sql: (filled, now) =>
      `${delivery(filled, now - HOUR_MS, 'pending', now - 20 * MINUTE_MS)}
       ${sleeper(now, now + HOUR_MS)}`,
    expected: ['deliveries'],
    says: /A due delivery is not sent\. Since 2/,
  },
  {
    name: 'a worker that did not wake at the time that it announced',
    sql: (filled, now) =>
      `${delivery(filled, now - HOUR_MS, 'pending', now - 20 * MINUTE_MS)}
       ${sleeper(now, now - 2 * MINUTE_MS)}`,
    expected: ['worker', 'deliveries'],
    says: /No worker was seen/,
  },
  {
    name: 'a delivery to a paused endpoint, which does not wait for a worker',
    sql: (filled, now) =>
      `${delivery(filled, now - 3 * HOUR_MS, 'pending', now - 2 * HOUR_MS)}
       update ph_endpoint set state = 'paused', paused_reason = 'gone', paused_at = ${now},
         consecutive_failures = 1, first_failure_at = ${now};`,
    expected: ['endpoints'],
    says: /1 endpoint is failing: .* \(\w+\), paused: gone\. 1 endpoint is paused\./,
  },
  {
    name: 'a dead letter',
    sql: (filled, now) => delivery(filled, now - HOUR_MS, 'dead', null),
    expected: ['dead-letters'],
    says: /1 delivery has failed ten times/,
  },
  {
    name: 'a failing endpoint',
    sql: (_, now) => `update ph_endpoint set consecutive_failures = 3, first_failure_at = ${now};`,
    expected: ['endpoints'],
    says: /1 endpoint is failing: .* \(\w+\)\. Since 2/,
  },
  {
    name: 'an alert that the host does not accept',
    sql: ({ keyId }, now) =>
      `insert into ph_alert (id, kind, key_id, reason, at, lease_until)
         values ('alt_1', 'endpoint_paused', '${keyId}', 'gone', ${now - 2 * HOUR_MS}, ${now + MINUTE_MS}); ${worker(now)}`,
    expected: ['alerts'],
    says: /An alert has not reached the platform\. Since 2/,
  },
  {
    name: 'an item of the inbox that nobody receives',
    sql: (filled, now) => entry(filled, now - 2 * HOUR_MS),
    expected: ['inbox'],
    says: /An item of the inbox has not reached the platform\. Since 2/,
  },
  {
    name: 'a refused item of the inbox that is not tried again',
    sql: (filled, now) =>
      entry(
        filled,
        now - 20 * MINUTE_MS,
        ', failures, first_failure_at, retry_at',
        `, 1, ${now}, ${now - 20 * MINUTE_MS}`,
      ),
    expected: ['inbox'],
    says: /An item of the inbox has not reached the platform\. Since 2/,
  },
  {
    name: 'a parked item of the inbox',
    sql: (filled, now) =>
      entry(
        filled,
        now,
        ', failures, first_failure_at, retry_at, parked_at',
        `, 9, 1, 9007199254740991, ${now}`,
      ),
    expected: ['inbox-parked'],
    says: /1 item of the inbox/,
  },
  {
    name: 'an erasure in the inbox that nobody receives',
    sql: (filled, now) => erasure(filled, now - 2 * HOUR_MS),
    expected: ['inbox'],
    says: /An item of the inbox has not reached the platform\. Since 2/,
  },
  {
    name: 'a parked erasure in the inbox',
    sql: (filled, now) => `${erasure(filled, now)}
      update ph_inbox_erasure set failures = 9, retry_at = 9007199254740991, parked_at = ${now};`,
    expected: ['inbox-parked'],
    says: /1 item of the inbox/,
  },
  {
    name: 'an erasure of which no inbox has told the platform',
    sql: (_, now) => `update ph_application set erased_at = ${now - HOUR_MS};`,
    expected: [],
    says: /^The inbox is off: delete the platform's own rows yourself\. 1 application was erased in the last 30 days/m,
  },
  {
    name: 'an operation that does not go on',
    sql: (_, now) => operation(now - 2 * HOUR_MS, 'running', null, null),
    expected: ['operations', 'worker'],
    says: /op_1 does not continue\. Since 2/,
  },
  {
    name: 'an operation whose steps fail',
    sql: (_, now) => operation(now, 'running', 'Busy.', null),
    expected: ['operations'],
    says: /last step of the operation op_1 failed/,
  },
  {
    name: 'an operation that was given up',
    sql: (_, now) => operation(now, 'failed', 'Busy.', now - HOUR_MS),
    expected: ['operations'],
    says: /op_1 was given up\. Since 2/,
  },
  {
    name: 'a sync of jobs that is held',
    sql: (_, now) => sync(now, 'held', 1),
    expected: ['jobs-sync'],
    says: /was held, so no missing job was closed\. 30 of 40 open jobs were missing/,
  },
  {
    name: 'a sync of jobs that failed, which is no operation to start again',
    sql: (_, now) => sync(now, 'failed', 0, 1),
    expected: ['jobs-sync-failed'],
    says: /The last sync of jobs failed, so the jobs may be behind their source\. Since 2/,
  },
  {
    name: 'syncs of jobs that failed after one that refused rows',
    sql: (_, now) => sync(now, 'failed', 0, 3, 2),
    expected: ['jobs-sync-failed', 'jobs-sync-refused'],
    says: /The last 3 syncs of jobs failed.*\n.*\n.*The last good sync of jobs refused 2 rows/,
  },
  {
    name: 'a résumé that is not downloaded',
    sql: ({ keyId, applicationId }, now) =>
      `insert into ph_resume_task (application_id, key_id, url, attempts, due_at)
         values ('${applicationId}', '${keyId}', 'https://ats.example.org/cv', 0, ${now - 2 * HOUR_MS});`,
    expected: ['resume-downloads', 'worker'],
    says: /The download of a résumé is late\..* Since 2/,
  },
  {
    name: 'a résumé of an erased candidate that the sink still stores',
    sql: ({ applicationId }, now) =>
      `update ph_application set erased_at = ${now - 2 * HOUR_MS};
       insert into ph_resume_removal (application_id, attempts, due_at) values ('${applicationId}', 5, ${now});`,
    expected: ['resume-removals'],
    says: /The résumés of 1 erased candidate are still stored\. Since 2/,
  },
  {
    name: 'rate windows of two days ago',
    sql: (_, now) =>
      `insert into ph_rate_window (window_start, bucket_id, count) values (${now - 48 * HOUR_MS}, 'b', 1);`,
    expected: ['sweeps'],
    says: /Expired rows are not deleted\. Since 2/,
  },
  {
    name: 'no late sweep while a worker sleeps, because it deletes rows when it wakes',
    sql: (_, now) =>
      `update ph_idempotency set expires_at = ${now - 2 * HOUR_MS}; ${sleeper(now, now + HOUR_MS)}`,
    expected: [],
    says: /./,
  },
  {
    name: 'an idempotency key that expired two hours ago',
    sql: (_, now) => `update ph_idempotency set expires_at = ${now - 2 * HOUR_MS};`,
    expected: ['sweeps'],
    says: /Expired rows are not deleted\. Since 2/,
  },
  {
    name: 'no late rows while a worker sleeps, which deletes them when it wakes',
    sql: (_, now) =>
      `insert into ph_rate_window (window_start, bucket_id, count) values (${now - 48 * HOUR_MS}, 'b', 1);
       ${worker(now - HOUR_MS, now + HOUR_MS)}`,
    expected: [],
    says: /./,
  },
];
