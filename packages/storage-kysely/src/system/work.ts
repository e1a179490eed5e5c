import type {
  ExpiredBefore,
  FirstWaiting,
  Instant,
  NextWork,
  WorkRepository,
} from '@partner-hiring/core/ports';
import {
  type AliasableExpression,
  type AliasedExpression,
  type Expression,
  type ExpressionBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { hasEvent, selectDueKeys, selectUncheckedKeys } from '../endpoints/changed-keys.js';
import { ONE } from '../look-ups.js';
import { storageMisconfiguration } from '../misconfiguration.js';
import type { Preparation, Prepared } from '../preparation.js';
import type { Schema } from '../schema.js';
import { define, type Param } from '../statement.js';

/** Literals, because the planner does not match a parameter to a partial index. */
const PENDING = sql.lit('pending' as const);

/**
 * How many rows of a queue to read, to find the first one that no worker has leased. Workers lease fewer rows at once.
 */
export const MOST_LEASED = sql.lit(100);

/**
 * Stands for "not due", because it is later than any due time. It replaces null, because SQLite and PostgreSQL disagree
 * on the least of several values if one is null.
 */
const NEVER = sql.lit(Number.MAX_SAFE_INTEGER);

/** What features add to the statements about work. */
export interface WorkParts {
  /** Each column is the earliest instant of one queue, in the order of the statement. */
  readonly due: readonly DuePart[];
  readonly waiting: Readonly<Record<'alertAt' | 'downloadAt', (preparation: Preparation) => Unnamed>>;
  readonly expired: Readonly<Record<string, ExpiredPart>>;
}

export type DuePart = (
  preparation: Preparation,
  withInbox: boolean,
) => readonly AliasedExpression<unknown, string>[];

/** Selects the earliest instant of one kind of rows that is before the given one. */
type ExpiredPart = (preparation: Preparation, before: Expression<Instant>) => Unnamed;

type Unnamed = AliasableExpression<unknown>;

export function prepareWork(preparation: Preparation, parts: WorkParts): Prepared<WorkRepository> {
  const { announceWork, now } = preparation;
  const announce = announceWork === null ? null : define(() => announceWork);
  const findNext = defineFindNext(preparation, parts, false);
  const findNextOrInbox = defineFindNext(preparation, parts, true);
  const findFirstWaiting = defineFindFirstWaiting(preparation, parts);
  const expiring = { ...EXPIRING, ...parts.expired };
  const findExpired = defineFindExpired(preparation, expiring);
  const nothingExpired = Object.fromEntries(Object.keys(expiring).map((kind) => [kind, ALL_KEPT]));

  return {
    announce: (session) =>
      session.write(async (run) => {
        if (announce !== null) await run.all(announce, {});
      }),
    findNext: (session, withInbox) =>
      session.read(async (run) => {
        const row = await run.first(withInbox ? findNextOrInbox : findNext, { now: now() });
        if (row === null) throw new Error('The statement for the next work must return a row.');
        const { now: at, ...due } = row as { readonly now: Instant };
        return { now: at, dueAt: earliestOf(Object.values<Instant | null>({ ...due })) };
      }),
    findFirstWaiting: (session) =>
      session.read(
        async (run) => ((await run.first(findFirstWaiting, {})) as FirstWaiting | null) ?? NOTHING_WAITS,
      ),
    findExpired: async (session, before) => {
      const unknown = Object.keys(before).filter((kind) => !Object.hasOwn(expiring, kind));
      if (unknown.length > 0) throw unknownKinds(unknown);
      return session.read(async (run) => {
        const row = await run.first(findExpired, { ...nothingExpired, ...before });
        const kinds = Object.entries<unknown>({ ...row }).filter(([, at]) => at !== null);
        return kinds.map(([kind]) => kind);
      });
    },
  };
}

function earliestOf(instants: readonly (Instant | null)[]): NextWork['dueAt'] {
  const known = instants.filter((at) => at !== null && at < Number.MAX_SAFE_INTEGER) as Instant[];
  return known.length === 0 ? null : Math.min(...known);
}

/** Each column is the earliest instant of one queue. */
function defineFindNext(preparation: Preparation, { due }: WorkParts, withInbox: boolean) {
  const { queries, storageNow } = preparation;
  return define((param: Param<{ now: Instant }>) =>
    queries.selectNoFrom([
      sql<Instant>`${storageNow(param('now'))}`.as('now'),
      events(preparation).as('events'),
      deliveries(preparation).as('deliveries'),
      ...due.flatMap((columns) => columns(preparation, withInbox)),
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

export function laterOf(one: string, other: string) {
  return sql`case when ${sql.ref(one)} > ${sql.ref(other)} then ${sql.ref(one)} else ${sql.ref(other)} end`;
}

const NOTHING_WAITS: FirstWaiting = {
  alertAt: null,
  downloadAt: null,
  idempotencyKeyAt: null,
  rateWindowAt: null,
};

function defineFindFirstWaiting(preparation: Preparation, { waiting }: WorkParts) {
  const { queries } = preparation;
  const key = queries.selectFrom('ph_idempotency').select('expires_at').orderBy('expires_at');
  const window = queries.selectFrom('ph_rate_window').select('window_start').orderBy('window_start');
  return define(() =>
    queries.selectNoFrom([
      waiting.alertAt(preparation).as('alertAt'),
      waiting.downloadAt(preparation).as('downloadAt'),
      key.limit(ONE).as('idempotencyKeyAt'),
      window.orderBy('bucket_id').limit(ONE).as('rateWindowAt'),
    ]),
  );
}

/** Selects the earliest instant of a table, if it is before the given one. */
export function firstExpired<Table extends keyof Schema & string>(
  { queries }: Preparation,
  table: Table,
  column: keyof Schema[Table] & string,
  before: Expression<Instant>,
  only?: Expression<SqlBool>,
) {
  const at = sql.ref<Instant>(column);
  return queries
    .selectFrom(table as 'ph_event')
    .select(at.as('at'))
    .where(at, '<', before)
    .$if(only !== undefined, (query) => query.where(only ?? sql<boolean>`true`))
    .orderBy(at)
    .limit(ONE);
}

/** No row is older than 1970. */
const ALL_KEPT: Instant = 0;

/** The kinds of the base. */
const EXPIRING: WorkParts['expired'] = {
  idempotencyKeys: (preparation, before) => firstExpired(preparation, 'ph_idempotency', 'expires_at', before),
  rateWindows: (preparation, before) => firstExpired(preparation, 'ph_rate_window', 'window_start', before),
  deliveries: (preparation, before) =>
    firstExpired(preparation, 'ph_delivery', 'last_attempt_at', before, sql`state = 'delivered'`),
  events: oldEvents,
  evidence: (preparation, before) => firstExpired(preparation, 'ph_delivery_evidence', 'last_at', before),
  hourCounts: (preparation, before) => firstExpired(preparation, 'ph_hour_count', 'hour', before),
  workers: (preparation, before) => firstExpired(preparation, 'ph_worker', 'last_seen_at', before),
  idleFeeds: ({ queries }, before) =>
    queries
      .selectFrom('ph_feed_head')
      .select('event_at')
      .where('unchecked', '=', sql.lit<1>(1))
      .where('event_at', '<', before)
      .limit(ONE),
};

function unknownKinds(kinds: readonly string[]) {
  return storageMisconfiguration(
    `The storage has no statement for expired rows of the kinds: ${kinds.join(', ')}. ` +
      'Install the same release of the core and of the storage.',
  );
}

/**
 * Selects the earliest instant of each kind of row if it has expired, otherwise null. Each kind costs one index
 * look-up, except events, which cost one for each key.
 */
function defineFindExpired(preparation: Preparation, expiring: WorkParts['expired']) {
  return define((param: Param<ExpiredBefore>) =>
    preparation.queries.selectNoFrom(
      Object.entries(expiring).map(([kind, first]) => first(preparation, param(kind)).as(kind)),
    ),
  );
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
