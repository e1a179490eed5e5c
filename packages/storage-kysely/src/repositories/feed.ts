import type {
  Environment,
  FeedRepository,
  Instant,
  KeyId,
  StampRequest,
  TakenStamps,
} from '@partner-hiring/core/ports';
import { type Expression, type RawBuilder, sql } from 'kysely';
import { itemsWith, selectItems } from '../batch.js';
import type { JsonRows, LockRows, TableColumns } from '../dialect.js';
import { inOrder } from '../mapping.js';
import type { Preparation, Prepare } from '../preparation.js';
import type { Run } from '../session.js';
import { define, itemValue, type Param, WRITTEN } from '../statement.js';

export const prepareFeed: Prepare<FeedRepository> = (preparation) => {
  const take = defineTake(preparation);
  const takeSoon = prepareTakeSoon(preparation);
  const takeFree = defineTake(preparation, preparation.lockFreeRows);
  const listHeads = define((param: Param<{ first: Environment; second: Environment }>) =>
    preparation.queries
      .selectFrom('ph_feed_head as head')
      .innerJoin('ph_partner_key as key', 'key.id', 'head.key_id')
      .select(['head.key_id', 'head.at', 'key.environment'])
      .where((eb) => eb('key.environment', 'in', [param('first'), param('second')])),
  );

  return {
    ...prepareRecording(preparation),
    listHeads: (session, environment) =>
      session.read((run) => {
        const both = { first: environment ?? 'production', second: environment ?? 'sandbox' } as const;
        return run.list(listHeads, both, ({ key_id: keyId, at, environment: own }) => ({
          keyId,
          at,
          environment: own,
        }));
      }),
    // These statements may commit alone, because unused stamps do no harm.
    take: (session, requests, now) => session.writeEarly((run) => takeEveryRange(run, take, requests, now)),
    takeSoon: (session, requests, now) => session.writeEarly((run) => takeSoon(run, requests, now)),
    takeFree: (session, requests, now) =>
      session.writeEarly((run) => takeRanges(run, takeFree, requests, now)),
  };
};

function prepareTakeSoon(preparation: Preparation) {
  const { lockRows, shortLockTimeout } = preparation;
  const condition = shortLockTimeout?.kind === 'condition' ? shortLockTimeout.condition : null;
  const take = defineTake(preparation, (query) =>
    lockRows(condition === null ? query : query.where(condition)),
  );
  const statement = shortLockTimeout?.kind === 'statement' ? shortLockTimeout.statement : null;
  const shorten = statement === null ? null : define(() => statement);
  return async (run: Run, requests: readonly StampRequest[], now: Instant) => {
    if (shorten === null || requests.length === 0) return takeEveryRange(run, take, requests, now);
    // Sends both statements at once.
    const [, ranges] = await Promise.all([
      run.execute(shorten, {}),
      takeEveryRange(run, take, requests, now),
    ]);
    return ranges;
  };
}

async function takeRanges(
  run: Run,
  statement: TakeStamps,
  requests: readonly StampRequest[],
  now: Instant,
): Promise<readonly (TakenStamps | null)[]> {
  const asked = requests.map(toItem).sort((a, b) => (a.key_id < b.key_id ? -1 : 1));
  const { rows } = await run.batch(statement, asked, { now });
  const heads = inOrder(
    requests.map(({ keyId }) => keyId),
    rows,
    (row) => row.key_id,
    (row) => row,
  );
  return requests.map(({ keyId, count }, index) => {
    const head = heads[index] ?? null;
    if (head === null) return null;
    return { keyId, first: head.at - count + 1, count, isRecorded: head.recorded_after !== null };
  });
}

/** Takes stamps for every request. Throws if a key has no feed head. */
async function takeEveryRange(
  run: Run,
  statement: TakeStamps,
  requests: readonly StampRequest[],
  now: Instant,
): Promise<readonly TakenStamps[]> {
  const ranges = await takeRanges(run, statement, requests, now);
  return ranges.map((range, index) => {
    if (range === null) throw new MissingFeedHead(requests[index]?.keyId);
    return range;
  });
}

/** Thrown if a key has no feed head. Its statement has succeeded, so the transaction may continue. */
export class MissingFeedHead extends Error {
  constructor(keyId: KeyId | undefined) {
    super(`Key ${keyId} has no feed head. The storage must create one with each key.`);
  }
}

function toItem({ keyId, count, withoutEvents = false, unlessRecorded = false }: StampRequest): RequestItem {
  const without = unlessRecorded ? FOR_EVENTS.ifRecorded : FOR_EVENTS.no;
  return { key_id: keyId, count, for_events: withoutEvents ? without : FOR_EVENTS.yes };
}

/** Whether the stamps are for events: not, always, or if the log records them. */
const FOR_EVENTS = { no: 0, yes: 1, ifRecorded: 2 } as const;

interface RequestItem {
  readonly key_id: KeyId;
  readonly count: number;
  readonly for_events: number;
}

const REQUEST_COLUMNS: TableColumns<RequestItem> = {
  key_id: 'text',
  count: 'integer',
  for_events: 'integer',
};

type TakeStamps = ReturnType<typeof defineTake>;

/**
 * Takes stamps from the feed heads. No other statement changes a head's stamp. `lock` has an effect only in a
 * database that runs several writing transactions at a time.
 */
function defineTake(preparation: Preparation, lock: LockRows = preparation.lockRows) {
  return preparation.batches.kind === 'per_item' ? takeFromOne(preparation) : takeFromAll(preparation, lock);
}

interface TakeParams {
  readonly rows: JsonRows<RequestItem>;
  readonly now: Instant;
}

function takeFromOne({ queries }: Preparation) {
  return define((param: Param<TakeParams>) =>
    queries
      .updateTable('ph_feed_head')
      .set(({ ref }) => {
        const at = headAfter(ref('at'), param('now'), itemValue('count'));
        return {
          at,
          event_at: eventHead(itemValue('for_events'), at, ref('event_at'), ref('recorded_after')),
        };
      })
      .where('key_id', '=', itemValue<KeyId>('key_id'))
      .returning(['key_id', 'at', 'recorded_after']),
  );
}

function takeFromAll({ queries, items }: Preparation, lock: LockRows) {
  return define((param: Param<TakeParams>) => {
    const asked = items(param('rows'), REQUEST_COLUMNS);
    return queries
      .with('locked', (query) =>
        query
          .selectFrom('ph_feed_head')
          .select(['key_id', 'at', 'event_at', 'recorded_after'])
          .where('key_id', 'in', (eb) => eb.selectFrom(asked).select('item.key_id'))
          .orderBy('key_id')
          .$call(lock),
      )
      .updateTable('ph_feed_head')
      .from('locked')
      .innerJoin(asked, 'item.key_id', 'locked.key_id')
      .set(({ ref }) => {
        const at = headAfter(ref('locked.at'), param('now'), ref('item.count'));
        return {
          at,
          event_at: eventHead(
            ref('item.for_events'),
            at,
            ref('locked.event_at'),
            ref('locked.recorded_after'),
          ),
        };
      })
      .whereRef('ph_feed_head.key_id', '=', 'locked.key_id')
      .returning(['ph_feed_head.key_id', 'ph_feed_head.at', 'ph_feed_head.recorded_after']);
  });
}

/** Stamps are later than the clock after a burst, or after the clock was set back. */
function headAfter(
  head: Expression<Instant>,
  now: Expression<Instant>,
  count: Expression<number>,
): RawBuilder<Instant> {
  return sql`case when ${head} >= ${now} then ${head} + 1 else ${now} end + ${count} - 1`;
}

/**
 * Returns the new `event_at` of a feed: the head's new stamp if any of the stamps are for events, otherwise
 * the old value.
 */
function eventHead(
  forEvents: Expression<number>,
  head: Expression<Instant>,
  before: Expression<Instant>,
  recordedAfter: Expression<Instant | null>,
): RawBuilder<Instant> {
  const yes = sql.lit(FOR_EVENTS.yes);
  const hasEvents = sql`${forEvents} = ${yes} or (${forEvents} > ${yes} and ${recordedAfter} is not null)`;
  return sql`case when ${hasEvents} then ${head} else ${before} end`;
}

type RecordingMethods = 'listRecording' | 'setRecording' | 'setFreeRecording';

/** Switches whether the logs of keys record every event. */
const prepareRecording: Prepare<Pick<FeedRepository, RecordingMethods>> = (preparation) => {
  const { lockRows, lockFreeRows } = preparation;
  const listOn = defineList(preparation, true);
  const listOff = defineList(preparation, false);
  const turnOn = defineTurn(preparation, true, lockRows);
  const turnOff = defineTurn(preparation, false, lockRows);
  const turnFreeOn = defineTurn(preparation, true, lockFreeRows);
  const turnFreeOff = defineTurn(preparation, false, lockFreeRows);
  const turn = async (run: Run, statement: typeof turnOn, keyIds: readonly KeyId[]) => {
    const { rows } = await run.batch(statement, itemsWith('key_id', keyIds), {});
    return rows.length;
  };

  return {
    listRecording: (session, isOn, limit) =>
      session.read((run) => run.list(isOn ? listOn : listOff, { limit }, ({ key_id: keyId }) => keyId)),
    setRecording: (session, keyIds, isOn) =>
      session.write(async (run) => {
        await turn(run, isOn ? turnOn : turnOff, keyIds);
      }),
    setFreeRecording: (session, keyIds, isOn) =>
      session.write((run) => turn(run, isOn ? turnFreeOn : turnFreeOff, keyIds)),
  };
};

/** Reads the heads of all keys. A sweep does this too, to find old events. */
function defineList({ queries }: Preparation, isOn: boolean) {
  return define((param: Param<{ limit: number }>) =>
    queries
      .selectFrom('ph_feed_head as head')
      .innerJoin('ph_partner_key as key', 'key.id', 'head.key_id')
      .innerJoin('ph_partner as partner', 'partner.id', 'key.partner_id')
      .select('head.key_id')
      .where('head.recorded_after', isOn ? 'is not' : 'is', null)
      .where('partner.removed_at', 'is', null)
      .limit(param('limit')),
  );
}

function defineTurn(preparation: Preparation, isOn: boolean, lock: LockRows) {
  return define((param: Param<{ rows: JsonRows<{ key_id: KeyId }> }>) =>
    preparation.queries
      .with('locked', (db) =>
        db
          .selectFrom('ph_feed_head')
          .select(['key_id', 'at'])
          .where('key_id', 'in', selectItems(preparation, param('rows'), 'key_id'))
          .orderBy('key_id')
          .$call(lock),
      )
      .updateTable('ph_feed_head')
      .from('locked')
      .set((eb) => ({ recorded_after: isOn ? eb.ref('locked.at') : sql<null>`null` }))
      .whereRef('ph_feed_head.key_id', '=', 'locked.key_id')
      .where('ph_feed_head.recorded_after', isOn ? 'is' : 'is not', null)
      .returning(WRITTEN),
  );
}
