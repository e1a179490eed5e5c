import type {
  ExpiredBefore,
  Expiring,
  FirstWaiting,
  Instant,
  NextWork,
  WorkRepository,
} from '@partner-hiring/core/ports';
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { hasEvent, selectDueKeys, selectUncheckedKeys } from '../endpoints/changed-keys.js';
import { ONE } from '../look-ups.js';
import type { Preparation, Prepare } from '../preparation.js';
import type { Schema } from '../schema.js';
import { define, type Param } from '../statement.js';

/** Literals, because the planner does not match a parameter to a partial index. */
const PENDING = sql.lit('pending' as const);

/**
 * How many rows of a queue to read, to find the first one that no worker has leased. Workers lease fewer rows at once.
 */
const MOST_LEASED = sql.lit(100);

/**
 * Stands for "not due", because it is later than any due time. It replaces null, because SQLite and PostgreSQL disagree
 * on the least of several values if one is null.
 */
const NEVER = sql.lit(Number.MAX_SAFE_INTEGER);

export const prepareWork: Prepare<WorkRepository> = (preparation) => {
  const { announceWork, now } = preparation;
  const announce = announceWork === null ? null : define(() => announceWork);
  const findNext = defineFindNext(preparation, false);
  const findNextOrInbox = defineFindNext(preparation, true);
  const findFirstWaiting = defineFindFirstWaiting(preparation);
  const findExpired = defineFindExpired(preparation);

  return {
    announce: (session) =>
      session.write(async (run) => {
        if (announce !== null) await run.all(announce, {});
      }),
    findNext: (session, withInbox) =>
      session.read(async (run) => {
        const row = await run.first(withInbox ? findNextOrInbox : findNext, { now: now() });
        if (row === null) throw new Error('The statement for the next work must return a row.');
        const { now: at, ...due } = row;
        return { now: at, dueAt: earliestOf(Object.values<number | null>({ ...due })) };
      }),
    findFirstWaiting: (session) =>
      session.read(async (run) => (await run.first(findFirstWaiting, {})) ?? NOTHING_WAITS),
    findExpired: (session, before) =>
      session.read(async (run) => {
        const row = await run.first(findExpired, before);
        const kinds = Object.entries<Instant | null>({ ...row }).filter(([, at]) => at !== null);
        return kinds.map(([kind]) => kind as Expiring);
      }),
  };
};

function earliestOf(instants: readonly (Instant | null)[]): NextWork['dueAt'] {
  const known = instants.filter((at) => at !== null && at < Number.MAX_SAFE_INTEGER) as Instant[];
  return known.length === 0 ? null : Math.min(...known);
}

/** Each column is the earliest instant of one queue. */
function defineFindNext(preparation: Preparation, withInbox: boolean) {
  const { queries, storageNow } = preparation;
  return define((param: Param<{ now: Instant }>) =>
    queries.selectNoFrom((eb) => [
      sql<Instant>`${storageNow(param('now'))}`.as('now'),
      events(preparation).as('events'),
      deliveries(preparation).as('deliveries'),
      later(preparation, 'ph_resume_task').as('resume_files'),
      later(preparation, 'ph_resume_removal').as('resume_removals'),
      queries
        .selectFrom(
          queries
            .selectFrom('ph_alert')
            .select('lease_until')
            .orderBy('at')
            .orderBy('id')
            .limit(MOST_LEASED)
            .as('alert'),
        )
        .select((alert) => alert.fn.min('alert.lease_until').as('at'))
        .as('alerts'),
      queries
        .selectFrom('ph_endpoint')
        .select('warn_at')
        .where('state', '=', sql.lit('active'))
        .where('warn_at', 'is not', null)
        .orderBy('warn_at')
        .limit(ONE)
        .as('warnings'),
      queries
        .selectFrom('ph_operation')
        .select('due_at')
        .where('state', '=', sql.lit('running'))
        .orderBy('due_at')
        .limit(ONE)
        .as('operations'),
      ...(withInbox ? inbox(preparation) : [eb.val<Instant | null>(null).as('inbox')]),
    ]),
  );
}

type OfEndpoint = ExpressionBuilder<Schema & { readonly endpoint: Schema['ph_endpoint'] }, 'endpoint'>;

/** When the lease on an active endpoint with unsent events ends, and the gap between its attempts. */
function events(preparation: Preparation) {
  return preparation.queries
    .selectFrom('ph_endpoint as endpoint')
    .select(sql<Instant | null>`min(${laterOf('endpoint.lease_until', 'endpoint.sends_from')})`.as('at'))
    .where('endpoint.state', '=', sql.lit('active'))
    .where('endpoint.key_id', 'in', selectUncheckedKeys(preparation))
    .where((where) => hasEvent(where));
}

/**
 * Selects the earliest instant at which a delivery of an active endpoint is due, no worker holds the endpoint's lease,
 * and no gap is left.
 */
function deliveries(preparation: Preparation) {
  const firstDue = (where: OfEndpoint) =>
    where
      .selectFrom('ph_delivery as delivery')
      .select('delivery.due_at')
      .whereRef('delivery.key_id', '=', 'endpoint.key_id')
      .where('delivery.state', '=', PENDING)
      .orderBy('delivery.due_at')
      .limit(ONE);
  const due = preparation.queries
    .selectFrom('ph_endpoint as endpoint')
    .select((eb) => [
      laterOf('endpoint.lease_until', 'endpoint.sends_from').as('free_at'),
      firstDue(eb).as('due_at'),
    ])
    .where('endpoint.state', '=', sql.lit('active'))
    .where(
      'endpoint.key_id',
      'in',
      preparation.queries
        .selectFrom(selectDueKeys(preparation, NEVER as Expression<Instant>).as('pending'))
        .select('pending.key_id'),
    );
  return preparation.queries
    .selectFrom(due.as('first'))
    .select(sql<Instant | null>`min(${laterOf('first.due_at', 'first.free_at')})`.as('at'));
}

function later({ queries }: Preparation, table: 'ph_resume_task' | 'ph_resume_removal') {
  const first = queries
    .selectFrom(table)
    .select(['due_at', 'lease_until'])
    .orderBy('due_at')
    .orderBy('application_id')
    .limit(MOST_LEASED);
  return queries
    .selectFrom(first.as('task'))
    .select(sql<Instant | null>`min(${laterOf('task.due_at', 'task.lease_until')})`.as('at'));
}

function laterOf(one: string, other: string) {
  return sql`case when ${sql.ref(one)} > ${sql.ref(other)} then ${sql.ref(one)} else ${sql.ref(other)} end`;
}

/** New entries, retries, and erasures. */
function inbox({ queries }: Preparation) {
  return [
    queries
      .selectFrom('ph_inbox_entry')
      .select('at')
      .where('retry_at', 'is', null)
      .orderBy('key_id')
      .limit(ONE)
      .as('inbox'),
    queries
      .selectFrom('ph_inbox_entry')
      .select('retry_at')
      .where('retry_at', 'is not', null)
      .orderBy('retry_at')
      .limit(ONE)
      .as('inbox_retries'),
    queries
      .selectFrom('ph_inbox_erasure')
      .select('retry_at')
      .where('received_at', 'is', null)
      .orderBy('retry_at')
      .limit(ONE)
      .as('inbox_erasures'),
  ];
}

const NOTHING_WAITS: FirstWaiting = {
  alertAt: null,
  downloadAt: null,
  idempotencyKeyAt: null,
  rateWindowAt: null,
};

function defineFindFirstWaiting({ queries }: Preparation) {
  const alert = queries.selectFrom('ph_alert').select('at').orderBy('at').orderBy('id');
  const download = queries.selectFrom('ph_resume_task').select('due_at').orderBy('due_at');
  const key = queries.selectFrom('ph_idempotency').select('expires_at').orderBy('expires_at');
  const window = queries.selectFrom('ph_rate_window').select('window_start').orderBy('window_start');
  return define(() =>
    queries.selectNoFrom([
      alert.limit(ONE).as('alertAt'),
      download.orderBy('application_id').limit(ONE).as('downloadAt'),
      key.limit(ONE).as('idempotencyKeyAt'),
      window.orderBy('bucket_id').limit(ONE).as('rateWindowAt'),
    ]),
  );
}

/**
 * Selects the earliest instant of each kind of row if it has expired, otherwise null. Each kind costs one index
 * look-up, except events, which cost one for each key.
 */
function defineFindExpired(preparation: Preparation) {
  const { queries } = preparation;
  return define((param: Param<ExpiredBefore>) => {
    const first = <Table extends keyof Schema & string>(
      table: Table,
      column: keyof Schema[Table] & string,
      kind: Expiring,
      only?: Expression<SqlBool>,
    ) => {
      const at = sql.ref<Instant>(column);
      return queries
        .selectFrom(table as 'ph_audit')
        .select(at.as('at'))
        .where(at, '<', param(kind))
        .$if(only !== undefined, (query) => query.where(only ?? sql<boolean>`true`))
        .orderBy(at)
        .limit(ONE)
        .as(kind);
    };
    const ofErrors = (isError: 0 | 1) =>
      queries
        .selectFrom('ph_request')
        .select('at')
        .where('is_error', '=', sql.lit(isError))
        .where('at', '<', param('requests'))
        .orderBy('at')
        .limit(ONE);
    return queries.selectNoFrom((eb) => [
      first('ph_idempotency', 'expires_at', 'idempotencyKeys'),
      first('ph_rate_window', 'window_start', 'rateWindows'),
      first('ph_delivery', 'last_attempt_at', 'deliveries', sql<SqlBool>`state = 'delivered'`),
      oldEvents(preparation, param('events')).as('events'),
      first('ph_delivery_evidence', 'last_at', 'evidence'),
      first('ph_operation', 'finished_at', 'operations', sql<SqlBool>`finished_at is not null`),
      first('ph_audit', 'at', 'auditEntries', sql<SqlBool>`number = 0`),
      first('ph_inbox_receipt', 'received_at', 'inboxReceipts'),
      eb.fn.coalesce(ofErrors(0), ofErrors(1)).as('requests'),
      first('ph_request_read', 'sweep_at', 'reads'),
      first('ph_hour_count', 'hour', 'hourCounts'),
      first('ph_worker', 'last_seen_at', 'workers'),
      first('ph_portal_pass', 'expires_at', 'portalPasses'),
      queries
        .selectFrom('ph_feed_head')
        .select('event_at')
        .where('unchecked', '=', sql.lit<1>(1))
        .where('event_at', '<', param('idleFeeds'))
        .limit(ONE)
        .as('idleFeeds'),
    ]);
  });
}

function oldEvents({ queries }: Preparation, before: Expression<Instant>) {
  const firstOf = queries
    .selectFrom('ph_feed_head as head')
    .select((eb) =>
      eb
        .selectFrom('ph_event as event')
        .select('event.at')
        .whereRef('event.key_id', '=', 'head.key_id')
        .orderBy('event.at')
        .limit(ONE)
        .as('at'),
    );
  return queries.selectFrom(firstOf.as('log')).select('log.at').where('log.at', '<', before).limit(ONE);
}
