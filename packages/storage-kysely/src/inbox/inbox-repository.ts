import type {
  ApplicationId,
  InboxEntryKey,
  InboxRepository,
  Instant,
  KeyId,
  PostponedEntry,
  UnreadEntry,
} from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { lookUpEach } from '../batch.js';
import type { JsonRows } from '../dialect.js';
import type { Preparation, Prepare } from '../preparation.js';
import type { Flag, InboxEntryTable } from '../schema.js';
import type { Run } from '../session.js';
import { define, itemValue, type Param, WRITTEN } from '../statement.js';
import { prepareClaims } from './claim-entries.js';
import { prepareFindKeys } from './find-keys.js';
import { defineAddReceipts, prepareReceipts, receiptsOf } from './inbox-receipts.js';
import {
  defineAddEntries,
  ENTRY_ITEM,
  type EntryItem,
  fromEntry,
  HEAD_ITEM,
  type HeadItem,
  positionsOf,
  toEntry,
  toEntryItem,
  toPostponed,
} from './inbox-rows.js';

/** Counts stop here. */
const COUNT_BOUND = 10_000;

const NEVER: Instant = Number.MAX_SAFE_INTEGER;

export const prepareInbox: Prepare<InboxRepository> = (preparation) => {
  const bindSwitch = prepareSwitch(preparation);
  const bindFindKeys = prepareFindKeys(preparation);
  const bindClaims = prepareClaims(preparation);
  const bindEnds = prepareEnds(preparation);
  const bindParked = prepareParked(preparation);
  const bindReceipts = prepareReceipts(preparation);
  const add = defineAddEntries(preparation);
  const countUnread = defineCount(preparation, 'unread');
  const countParked = defineCount(preparation, 'parked');

  return (session) => ({
    ...bindSwitch(session),
    ...bindFindKeys(session),
    ...bindClaims(session),
    ...bindEnds(session),
    ...bindParked(session),
    ...bindReceipts(session),
    add: (entries) =>
      session.write(async (run) => {
        await run.batch(add, entries.map(fromEntry), {});
      }),
    counts: () =>
      session.read(async (run) => {
        const unread = await run.first(countUnread, {});
        const parked = await run.first(countParked, {});
        const counts = { unread: unread?.count ?? 0, parked: parked?.count ?? 0 };
        return {
          unread: Math.min(counts.unread, COUNT_BOUND),
          parked: Math.min(counts.parked, COUNT_BOUND),
          oldestUnreadAt: unread?.oldest ?? null,
          isExact: Math.max(counts.unread, counts.parked) <= COUNT_BOUND,
        };
      }),
  });
};

const prepareSwitch: Prepare<Pick<InboxRepository, 'isOn' | 'turn'>> = ({ queries }) => {
  const read = define(() => queries.selectFrom('ph_inbox_switch').select('is_on'));
  const write = define((param: Param<{ on: Flag }>) =>
    queries
      .updateTable('ph_inbox_switch')
      .set({ is_on: param('on') })
      .where('is_on', '<>', param('on'))
      .returning(WRITTEN),
  );
  return (session) => ({
    isOn: () => session.read(async (run) => (await run.first(read, {}))?.is_on === 1),
    turn: (on) => session.write(async (run) => (await run.count(write, { on: on ? 1 : 0 })) === 1),
  });
};

type Ends = 'finish' | 'acknowledge' | 'postpone';

/** Deletes or postpones entries, and moves the positions of their heads. */
const prepareEnds: Prepare<Pick<InboxRepository, Ends>> = (preparation) => {
  const { queries, items } = preparation;
  const removeRanges = defineRemoveRanges(preparation);
  const remove = define((param: Param<{ rows: JsonRows<EntryItem> }>) =>
    queries.deleteFrom('ph_inbox_entry').where((eb) =>
      eb(
        eb.refTuple('key_id', 'at', 'application_id'),
        'in',
        eb
          .selectFrom(items(param('rows'), ENTRY_ITEM))
          .select(['item.key_id', 'item.at', 'item.application_id'])
          .$asTuple('key_id', 'at', 'application_id'),
      ),
    ),
  );
  const acknowledge = defineAcknowledge(preparation);
  const moveHeads = define((param: Param<{ rows: JsonRows<HeadItem> }>) =>
    queries
      .updateTable('ph_inbox_head')
      .from(items(param('rows'), HEAD_ITEM))
      .set((eb) => ({ position: eb.ref('item.position') }))
      .whereRef('ph_inbox_head.key_id', '=', 'item.key_id')
      .whereRef('ph_inbox_head.position', '<', 'item.position'),
  );
  const wakeBehind = define(
    (param: Param<{ rows: JsonRows<Pick<EntryItem, 'application_id'>>; now: Instant }>) =>
      queries
        .updateTable('ph_inbox_entry')
        .set({ retry_at: param('now') })
        .where('application_id', 'in', (eb) =>
          eb.selectFrom(items(param('rows'), { application_id: 'text' })).select('item.application_id'),
        )
        .where('retry_at', 'is not', null)
        .where('parked_at', 'is', null),
  );
  const postpone = definePostpone(preparation);
  const endLeases = defineEndLeases(preparation);
  const addReceipts = defineAddReceipts(preparation);

  async function move(run: Run, entries: readonly UnreadEntry[]): Promise<void> {
    await run.batch(moveHeads, positionsOf(entries), {});
  }

  return (session) => ({
    finish: (entries, now) =>
      session.write(async (run) => {
        const retried = entries.filter(({ isRetry }) => isRetry);
        const applications = retried.map(({ applicationId }) => ({ application_id: applicationId }));
        await Promise.all([
          run.batch(removeRanges, rangesOf(entries), {}),
          move(run, entries),
          run.batch(remove, retried.map(toEntryItem), {}),
          run.batch(wakeBehind, applications, { now }),
          run.batch(addReceipts, receiptsOf(entries, now), {}),
        ]);
      }),
    acknowledge: (entries, now) =>
      session.write(async (run) => {
        const asked = entries.map(({ applicationId, at, keyId = null }) => ({
          ...{ application_id: applicationId, at, key_id: keyId },
        }));
        const { rows } = await run.batch(acknowledge, asked, {});
        const keys = [...new Set(rows.map(({ key_id }) => key_id))].map((key_id) => ({ key_id }));
        const applications = asked.map(({ application_id }) => ({ application_id }));
        await run.batch(wakeBehind, applications, { now });
        await run.batch(endLeases, keys, {});
        await run.batch(addReceipts, receiptsOf(rows.map(toEntry), now), {});
        return rows.length;
      }),
    postpone: (entries) =>
      session.write(async (run) => {
        await run.batch(postpone, entries.map(fromPostponed), {});
        await move(run, entries);
      }),
  });
};

interface RangeItem {
  readonly key_id: KeyId;
  readonly first: Instant;
  readonly last: Instant;
}

/** The stamps of each key's new entries. Entries of the range that are not new were postponed. */
function rangesOf(entries: readonly UnreadEntry[]): readonly RangeItem[] {
  const ranges = new Map<KeyId, RangeItem>();
  for (const { keyId, at, isRetry } of entries) {
    if (isRetry) continue;
    const { first, last } = ranges.get(keyId) ?? { first: at, last: at };
    ranges.set(keyId, { key_id: keyId, first: Math.min(first, at), last: Math.max(last, at) });
  }
  return [...ranges.values()];
}

/** Deletes one range of each key, which costs less than a look-up of each entry. */
function defineRemoveRanges({ queries, batches, items }: Preparation) {
  return define((param: Param<{ rows: JsonRows<RangeItem> }>) => {
    const column = <Value>(name: keyof RangeItem) =>
      batches.kind === 'per_item' ? itemValue<Value>(name) : sql<Value>`${sql.ref(`item.${name}`)}`;
    const all = queries.deleteFrom('ph_inbox_entry');
    const columns = { key_id: 'text', first: 'integer', last: 'integer' } as const;
    const some =
      batches.kind === 'per_item' ? all : (all.using(items(param('rows'), columns)) as never as typeof all);
    return some
      .where('ph_inbox_entry.key_id', '=', column<KeyId>('key_id'))
      .where('at', '>=', column<Instant>('first'))
      .where('at', '<=', column<Instant>('last'))
      .where('retry_at', 'is', null);
  });
}

interface AcknowledgedItem {
  readonly application_id: ApplicationId;
  readonly at: Instant;
  readonly key_id: KeyId | null;
}

/** Finds the keys that the caller does not know. */
function defineAcknowledge({ queries, items }: Preparation) {
  return define((param: Param<{ rows: JsonRows<AcknowledgedItem> }>) =>
    queries
      .deleteFrom('ph_inbox_entry')
      .where((eb) =>
        eb(
          eb.refTuple('key_id', 'at', 'application_id'),
          'in',
          eb
            .selectFrom(items<AcknowledgedItem>(param('rows'), ENTRY_ITEM))
            .leftJoin('ph_application as application', 'application.id', 'item.application_id')
            .select(({ fn }) => [
              fn.coalesce('item.key_id', 'application.key_id').as('key_id'),
              'item.at',
              'item.application_id',
            ])
            .$asTuple('key_id', 'at', 'application_id') as never,
        ),
      )
      .returning(['key_id', 'at', 'application_id', 'kind']),
  );
}

type PostponedItem = EntryItem &
  Pick<InboxEntryTable, 'first_failure_at' | 'retry_at' | 'parked_at' | 'last_error'> & {
    readonly failures: number;
  };

function fromPostponed(entry: PostponedEntry): PostponedItem {
  return {
    ...toEntryItem(entry),
    failures: entry.failures,
    first_failure_at: entry.firstFailureAt,
    retry_at: entry.retryAt,
    parked_at: entry.parkedAt,
    last_error: entry.lastError,
  };
}

function definePostpone({ queries, items }: Preparation) {
  return define((param: Param<{ rows: JsonRows<PostponedItem> }>) =>
    queries
      .updateTable('ph_inbox_entry')
      .from(
        items<PostponedItem>(param('rows'), {
          ...ENTRY_ITEM,
          failures: 'integer',
          first_failure_at: 'integer',
          retry_at: 'integer',
          parked_at: 'integer',
          last_error: 'text',
        }),
      )
      .set((eb) => ({
        failures: eb.ref('item.failures'),
        first_failure_at: eb.ref('item.first_failure_at'),
        retry_at: eb.ref('item.retry_at'),
        parked_at: eb.ref('item.parked_at'),
        last_error: eb.ref('item.last_error'),
      }))
      .whereRef('ph_inbox_entry.key_id', '=', 'item.key_id')
      .whereRef('ph_inbox_entry.at', '=', 'item.at')
      .whereRef('ph_inbox_entry.application_id', '=', 'item.application_id'),
  );
}

/** Ends the leases of heads whose leased entries are all acknowledged. */
function defineEndLeases({ queries, items }: Preparation) {
  return define((param: Param<{ rows: JsonRows<{ key_id: KeyId }> }>) =>
    queries
      .updateTable('ph_inbox_head')
      .set({ lease_until: 0 })
      .where('key_id', 'in', (eb) =>
        eb.selectFrom(items(param('rows'), { key_id: 'text' })).select('item.key_id'),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('ph_inbox_entry as entry')
              .select(sql.lit(1).as('found'))
              .whereRef('entry.key_id', '=', 'ph_inbox_head.key_id')
              .whereRef('entry.at', '>', 'ph_inbox_head.position')
              .whereRef('entry.at', '<=', 'ph_inbox_head.leased_to')
              .where('entry.retry_at', 'is', null),
          ),
        ),
      ),
  );
}

type InboxItemRow = Pick<EntryItem, 'application_id' | 'at'>;

/** Lists parked entries, and makes them due. */
const prepareParked: Prepare<Pick<InboxRepository, 'listParked' | 'retryParked'>> = (preparation) => {
  const { queries } = preparation;
  const parked = queries.selectFrom('ph_inbox_entry').where('retry_at', '=', sql.lit(NEVER));
  const list = define((param: Param<{ limit: number }>) =>
    parked.selectAll().orderBy('key_id').orderBy('at').orderBy('application_id').limit(param('limit')),
  );
  const listAfter = define((param: Param<InboxEntryKey & { keyId: KeyId; limit: number }>) =>
    parked
      .selectAll()
      .where((eb) =>
        eb(
          eb.refTuple('key_id', 'at', 'application_id'),
          '>',
          eb.tuple(param('keyId'), param('at'), param('applicationId')),
        ),
      )
      .orderBy('key_id')
      .orderBy('at')
      .orderBy('application_id')
      .limit(param('limit')),
  );
  const find = define((param: Param<{ rows: JsonRows<InboxItemRow> }>) =>
    lookUpEach(preparation, param('rows'), { application_id: 'text', at: 'integer' }, (item) =>
      queries
        .selectFrom('ph_inbox_entry')
        .selectAll()
        .where('application_id', '=', item('application_id'))
        .where('at', '=', item('at'))
        .where('retry_at', '=', sql.lit(NEVER)),
    ),
  );
  const postpone = definePostpone(preparation);

  return (session) => ({
    listParked: (limit, after) =>
      session.read(async (run) => {
        const rows =
          after === null ? await run.all(list, { limit }) : await run.all(listAfter, { ...after, limit });
        return rows.map(toPostponed);
      }),
    retryParked: (which, now) =>
      session.write(async (run) => {
        const { rows } =
          'limit' in which
            ? { rows: await run.all(list, { limit: which.limit }) }
            : await run.batch(
                find,
                which.map(({ applicationId, at }) => ({ application_id: applicationId, at })),
                {},
              );
        const due = rows.map((row) => ({
          ...fromPostponed(toPostponed(row)),
          retry_at: now,
          parked_at: null,
        }));
        await run.batch(postpone, due, {});
        return due.length;
      }),
  });
};

function defineCount({ queries }: Preparation, which: 'unread' | 'parked') {
  return define(() =>
    queries
      .selectFrom((eb) =>
        eb
          .selectFrom('ph_inbox_entry')
          .select('at')
          .$if(which === 'parked', (query) => query.where('retry_at', '=', sql.lit(NEVER)))
          .$if(which === 'unread', (query) => query.where('parked_at', 'is', null))
          .limit(sql.lit(COUNT_BOUND + 1))
          .as('entry'),
      )
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('at').as('oldest')]),
  );
}
