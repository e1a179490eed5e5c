import type { EventRepository, Instant, KeyId } from '@partner-hiring/core/ports';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Columns, JsonRows } from '../dialect.js';
import type { Preparation, Prepare } from '../preparation.js';
import type { Run } from '../session.js';
import { define, type Param } from '../statement.js';

/** A part of a log. */
interface LogPart {
  readonly keyId: KeyId;
  readonly after: Instant;
  readonly through: Instant;
}

/**
 * In parts, and no more of them at once in a log, nor of those that were looked at in vain in all logs together: many
 * events may have to stay, such as dead letters, and one transaction holds whatever it locks until its end.
 */
const MOST_PARTS = 10;

/** Logs that go together: for as long as their transaction takes, nobody else can settle or change their endpoints. */
const LOGS_AT_ONCE = 16;

/** What removes old events. */
export const prepareEventSweep: Prepare<Pick<EventRepository, 'sweep'>> = (preparation) => {
  const { findOld, lockEndpoint, findEnd, sweepPart } = defineStatements(preparation);
  const sweepLog = createLogSweep(findEnd, sweepPart);
  /** The log that was looked at last: the next sweep goes on behind it. */
  let last: KeyId | '' = '';
  /**
   * The first event of each log that was swept, as it was found last. None comes before it, as stamps only grow; what
   * lay there was deleted, and a server may have to walk over it for hours.
   */
  const firsts = new Map<KeyId, Instant>();

  async function sweepLogs(
    run: Run,
    logs: readonly OldLog[],
    { limit, patience }: SweepBounds,
  ): Promise<Swept> {
    let removed = 0;
    let inVain = 0;
    for (const { key_id: keyId, endpoint, first, through } of logs) {
      if (removed >= limit || inVain >= patience) break;
      last = keyId;
      if (endpoint !== null && (await run.first(lockEndpoint, { keyId })) === null) continue;
      const swept = await sweepLog(
        run,
        { keyId, after: first - 1, through },
        { limit: limit - removed, patience: patience - inVain },
      );
      removed += swept.removed;
      inVain += swept.inVain;
    }
    return { removed, inVain };
  }

  return (session) => ({
    sweep: async (before, limit) => {
      const known = JSON.stringify([...firsts].map(([keyId, first]) => ({ key_id: keyId, first })));
      const found = await session.read((run) => run.all(findOld, { rows: known, lastAt: before - 1 }));
      for (const { key_id: keyId, first } of found) firsts.set(keyId, first);
      const logs = inTurn(found, last);
      let removed = 0;
      let patience = MOST_PARTS;
      for (let start = 0; start < logs.length && removed < limit && patience > 0; start += LOGS_AT_ONCE) {
        const some = logs.slice(start, start + LOGS_AT_ONCE);
        const bounds = { limit: limit - removed, patience };
        const swept = await session.write((run) => sweepLogs(run, some, bounds));
        removed += swept.removed;
        patience -= swept.inVain;
      }
      return removed;
    },
  });
};

/** A log with something old in it, and how far it may be swept. */
interface OldLog {
  readonly key_id: KeyId;
  /** Null where its key has no endpoint. */
  readonly endpoint: KeyId | null;
  /** Its first event's. */
  readonly first: Instant;
  readonly through: Instant;
}

/** What came of it. */
interface Swept {
  readonly removed: number;
  /** Parts that were looked at in vain. */
  readonly inVain: number;
}

/** How much of a log is swept at most, and how many of its parts are looked at in vain. */
interface SweepBounds {
  readonly limit: number;
  readonly patience: number;
}

/** Where a log began. */
interface FirstItem {
  readonly key_id: KeyId;
  readonly first: Instant;
}

const FIRST_COLUMNS: Columns<FirstItem> = { key_id: 'text', first: 'integer' };

type Statements = ReturnType<typeof defineStatements>;

/** Sweeps one log in parts. It goes on where the sweep before came to. */
function createLogSweep(findEnd: Statements['findEnd'], sweepPart: Statements['sweepPart']) {
  /** Where to go on in logs of which so much must stay that a sweep did not come to their end. */
  const reached = new Map<KeyId, Instant>();

  /** As many events are looked at as may still be removed, a few times over, unless it was often in vain. */
  return async (run: Run, log: LogPart, { limit, patience }: SweepBounds): Promise<Swept> => {
    const { keyId, through } = log;
    let removed = 0;
    let inVain = 0;
    for (let part = 0; part < MOST_PARTS && removed < limit && inVain < patience; part += 1) {
      const after = Math.max(reached.get(keyId) ?? 0, log.after);
      const end = await run.first(findEnd, { keyId, after, last: limit - removed - 1 });
      const isLast = end === null || end.at >= through;
      const gone = await run.changes(sweepPart, { keyId, after, through: isLast ? through : end.at });
      removed += gone;
      if (gone === 0) inVain += 1;
      if (isLast) {
        reached.delete(keyId);
        break;
      }
      reached.set(keyId, end.at);
    }
    return { removed, inVain };
  };
}

/** The logs in the order of their keys, those behind the last one first. */
function inTurn<Log extends { readonly key_id: KeyId }>(
  logs: readonly Log[],
  last: KeyId | '',
): readonly Log[] {
  const sorted = [...logs].sort((a, b) => (a.key_id < b.key_id ? -1 : 1));
  return [...sorted.filter((log) => log.key_id > last), ...sorted.filter((log) => log.key_id <= last)];
}

function defineStatements(preparation: Preparation) {
  const { queries, lockFreeRows } = preparation;
  // A probe of one row of each log, so that the log needs no index by age. What lies beyond an endpoint's
  // watermark was not sent yet.
  const findOld = define((param: Param<{ rows: JsonRows<FirstItem>; lastAt: Instant }>) =>
    queries
      .selectFrom(firstEvents(preparation, param('rows')).as('log'))
      .leftJoin('ph_endpoint as endpoint', 'endpoint.key_id', 'log.key_id')
      .select((eb) => [
        'log.key_id',
        'endpoint.key_id as endpoint',
        eb.ref('log.first').$notNull().as('first'),
        through(eb.ref('endpoint.watermark'), param('lastAt')).as('through'),
      ])
      .where(({ eb, ref }) => eb('log.first', '<=', through(ref('endpoint.watermark'), param('lastAt')))),
  );
  // Whoever sends a done event on its way again has locked its endpoint. Locked here too, no delivery of an event comes
  // while it goes; a log whose endpoint somebody else holds has time until the next sweep.
  const lockEndpoint = define((param: Param<{ keyId: KeyId }>) =>
    queries
      .selectFrom('ph_endpoint')
      .select('key_id')
      .where('key_id', '=', param('keyId'))
      .$call(lockFreeRows),
  );
  // Open at its end: a planner without statistics takes a range with two for a few rows, and sorts all of it.
  const findEnd = define((param: Param<Omit<LogPart, 'through'> & { last: number }>) =>
    queries
      .selectFrom('ph_event')
      .select('at')
      .where('key_id', '=', param('keyId'))
      .where('at', '>', param('after'))
      .orderBy('at')
      .limit(sql.lit(1))
      .offset(param('last')),
  );
  const sweepPart = define((param: Param<LogPart>) =>
    queries
      .deleteFrom('ph_event')
      .where('key_id', '=', param('keyId'))
      .where('at', '>', param('after'))
      .where('at', '<=', param('through'))
      // A value rather than `exists`, which a planner may answer by reading all rows of the key.
      .where(
        (event) =>
          event
            .selectFrom('ph_delivery as delivery')
            .select('delivery.event_id')
            .whereRef('delivery.key_id', '=', 'ph_event.key_id')
            .whereRef('delivery.event_id', '=', 'ph_event.id')
            .limit(sql.lit(1)),
        'is',
        null,
      ),
  );
  return { findOld, lockEndpoint, findEnd, sweepPart };
}

/** The first event of each log, from where it was the last time. */
function firstEvents({ queries, items, batches }: Preparation, rows: RawBuilder<JsonRows<FirstItem>>) {
  // Inside the process nothing stays of what was deleted, and a batch is no table.
  const isRemembered = batches.kind === 'together';
  const heads = queries.selectFrom('ph_feed_head as head');
  const withFirst = heads.leftJoin(items(rows, FIRST_COLUMNS), 'item.key_id', 'head.key_id');
  return (isRemembered ? (withFirst as unknown as typeof heads) : heads).select((eb) => [
    'head.key_id',
    eb
      .selectFrom('ph_event as event')
      .select('event.at')
      .whereRef('event.key_id', '=', 'head.key_id')
      .$if(isRemembered, (query) =>
        query.where('event.at', '>=', sql<Instant>`coalesce(${sql.ref('item.first')}, 0)`),
      )
      .orderBy('event.at')
      .limit(sql.lit(1))
      .as('first'),
  ]);
}

/** How far a log may be swept: as far as it is old, and done. A key without an endpoint waits for nobody. */
function through(watermark: Expression<Instant | null>, lastAt: Expression<Instant>): RawBuilder<Instant> {
  return sql`case when ${watermark} < ${lastAt} then ${watermark} else ${lastAt} end`;
}
