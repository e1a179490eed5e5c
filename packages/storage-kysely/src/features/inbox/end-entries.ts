import type { ApplicationId, Instant, KeyId, Repositories, UnreadEntry } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { selectItems } from '../../batch.js';
import type { JsonRows } from '../../dialect.js';
import { defineEach, type Item } from '../../look-ups.js';
import type { Preparation, Prepare } from '../../preparation.js';
import type { Run } from '../../session.js';
import { define, itemValue, type Param } from '../../statement.js';
import { defineErasureHandOver } from './inbox-erasures.js';
import { defineAddReceipts, receiptsOf, UNREAD_READ } from './inbox-receipts.js';
import {
  ENTRY_ITEM,
  type EntryItem,
  HEAD_ITEM,
  type HeadItem,
  positionsOf,
  splitErasures,
  toEntry,
  toEntryItem,
} from './inbox-rows.js';
import { definePostpone, fromPostponed } from './parked-entries.js';

type Ends = 'finish' | 'acknowledge' | 'postpone' | 'drop';

/** Deletes or postpones entries, and moves the positions of their heads. */
export const prepareEnds: Prepare<Pick<Repositories['inbox'], Ends>> = (preparation) => {
  const { queries, items } = preparation;
  const removeRanges = defineRemoveRanges(preparation);
  const remove = define((param: Param<{ rows: JsonRows<EntryItem> }>) =>
    queries
      .deleteFrom('ph_inbox_entry')
      .where((eb) =>
        eb(
          eb.refTuple('key_id', 'at', 'application_id'),
          'in',
          eb
            .selectFrom(items(param('rows'), ENTRY_ITEM))
            .select(['item.key_id', 'item.at', 'item.application_id'])
            .$asTuple('key_id', 'at', 'application_id'),
        ),
      )
      .returning('application_id'),
  );
  const findSoonAfter = defineFindSoonAfter(preparation);
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
        .where('application_id', 'in', selectItems(preparation, param('rows'), 'application_id'))
        .where('retry_at', 'is not', null)
        .where('parked_at', 'is', null),
  );
  const postpone = definePostpone(preparation);
  const endLeases = defineEndLeases(preparation);
  const addReceipts = defineAddReceipts(preparation);
  const erasures = defineErasureHandOver(preparation);

  const move = (run: Run, entries: readonly UnreadEntry[]) => run.each(moveHeads, positionsOf(entries), {});

  return {
    drop: (session, questions) =>
      session.write(async (run) => {
        const asked = questions.map(({ keyId, applicationId, from }) => ({
          key_id: keyId,
          at: from,
          application_id: applicationId,
        }));
        const { rows } = await run.batch(findSoonAfter, asked, {});
        const dropped = new Set(asked.map(({ application_id }) => application_id));
        const found = new Map(rows.map((row) => [`${row.application_id} ${row.at}`, row]));
        const entries = [...found.values()].filter(({ application_id }) => dropped.has(application_id));
        const removed = await run.batch(remove, entries, {});
        return removed.rows.map((row) => row.application_id);
      }),
    finish: (session, entries, now) =>
      session.write(async (run) => {
        const { erased, others } = splitErasures(entries);
        const retried = others.filter(({ isRetry }) => isRetry);
        const applications = retried.map(({ applicationId }) => ({ application_id: applicationId }));
        await Promise.all([
          run.batch(removeRanges, rangesOf(others), {}),
          move(run, others),
          run.batch(remove, retried.map(toEntryItem), {}),
          run.batch(wakeBehind, applications, { now }),
          run.batch(addReceipts, receiptsOf(others, now), {}),
          erasures.receive(run, erased, now),
        ]);
      }),
    acknowledge: (session, entries, now) =>
      session.write(async (run) => {
        const { erased, others } = splitErasures(entries);
        const asked = others.map(({ applicationId, at, keyId = null }) => ({
          application_id: applicationId,
          at,
          key_id: keyId,
        }));
        const { rows } = await run.batch(acknowledge, asked, {});
        // An erasure may have dropped entries that the consumer has leased.
        const named = entries.flatMap(({ keyId = null }) => (keyId === null ? [] : [keyId]));
        const keyIds = new Set([...rows.map(({ key_id }) => key_id), ...named]);
        const keys = [...keyIds].sort().map((key_id) => ({ key_id }));
        const applications = asked.map(({ application_id }) => ({ application_id }));
        await run.batch(wakeBehind, applications, { now });
        await run.batch(endLeases, keys, {});
        await run.batch(addReceipts, receiptsOf(rows.map(toEntry), now), {});
        return rows.length + (await erasures.receive(run, erased, now));
      }),
    postpone: (session, entries) =>
      session.write(async (run) => {
        const { erased, others } = splitErasures(entries);
        await run.batch(postpone, others.map(fromPostponed), {});
        await move(run, others);
        await erasures.postpone(run, erased);
      }),
  };
};

interface RangeItem {
  readonly key_id: KeyId;
  readonly first: Instant;
  readonly last: Instant;
}

/**
 * Returns the range of stamps of each key's new entries. Other entries in this range were postponed, and are not
 * deleted.
 */
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

/** Finds the new entries of a key that were recorded at an instant or soon after. */
function defineFindSoonAfter(preparation: Preparation) {
  const { queries } = preparation;
  return defineEach(preparation, ENTRY_ITEM, (item: Item<EntryItem>) =>
    queries
      .selectFrom('ph_inbox_entry')
      .select(['key_id', 'at', 'application_id'])
      .where('key_id', '=', item('key_id'))
      .where('at', '>=', item('at'))
      .where('retry_at', 'is', null)
      .orderBy('at')
      .orderBy('application_id')
      .limit(sql.lit(UNREAD_READ)),
  );
}

/** Ends the leases of heads whose leased entries are all acknowledged. */
function defineEndLeases(preparation: Preparation) {
  return define((param: Param<{ rows: JsonRows<{ key_id: KeyId }> }>) =>
    preparation.queries
      .updateTable('ph_inbox_head')
      .set({ lease_until: 0 })
      .where('key_id', 'in', selectItems(preparation, param('rows'), 'key_id'))
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
