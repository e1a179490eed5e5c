import type {
  AttemptOutcome,
  ErasureCounts,
  EventId,
  Instant,
  KeyId,
  Repositories,
} from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { selectItems, writeEach } from '../../batch.js';
import type { JsonRows, TableColumns } from '../../dialect.js';
import { defineEach, defineLookUp, defineLookUps, findByIds, type Item } from '../../look-ups.js';
import type { Preparation, Prepare } from '../../preparation.js';
import { define, type Param } from '../../statement.js';
import { DELIVERIES } from '../../tables/index.js';
import { IS_REFUSED_OR_BEHIND } from '../inbox/inbox-rows.js';
import type { TracedItem } from './find-traces.js';

const NO_ANSWERS = '{}';
const NO_RESUME = JSON.stringify({ kind: 'none' });

/** Erases the data of applications, including their data in other tables. */
export const prepareErasing: Prepare<
  Pick<Repositories['candidates'], 'erase' | 'eraseExcerpts' | 'saveErasedCounts' | 'findErasedCounts'>
> = (preparation) => {
  const { queries, items } = preparation;
  const erase = define((param: Param<{ rows: JsonRows<TracedItem>; at: Instant }>) =>
    queries
      .updateTable('ph_application')
      .from(items(param('rows'), { id: 'text' }))
      .set({
        first_name: '',
        last_name: '',
        last_name_key: '',
        email: '',
        email_key: '',
        phone: '',
        phone_key: '',
        source: null,
        answers: NO_ANSWERS,
        resume_url: null,
        resume: NO_RESUME,
        resume_failed_at: sql.lit(null),
        erased_at: param('at'),
      })
      .whereRef('ph_application.id', '=', 'item.id'),
  );
  const removePostponed = define((param: Param<{ rows: JsonRows<TracedItem> }>) =>
    queries
      .deleteFrom('ph_inbox_entry')
      .where('application_id', 'in', selectItems(preparation, param('rows'), 'id'))
      .where(IS_REFUSED_OR_BEHIND)
      .returning('application_id'),
  );

  return {
    ...prepareExcerpts(preparation),
    ...prepareCounts(preparation),
    erase: (session, ids, at) =>
      session.write(async (run) => {
        const asked = ids.map((id) => ({ id }));
        const [, removed] = await Promise.all([
          run.batch(erase, asked, { at }),
          run.batch(removePostponed, asked, {}),
        ]);
        return removed.rows.map((row) => row.application_id);
      }),
  };
};

const prepareCounts: Prepare<Pick<Repositories['candidates'], 'saveErasedCounts' | 'findErasedCounts'>> = (
  preparation,
) => {
  const { queries, items } = preparation;
  const save = define((param: Param<{ rows: JsonRows<TracedItem & { counts: string }> }>) =>
    queries
      .updateTable('ph_application')
      .from(items(param('rows'), { id: 'text', counts: 'text' }))
      .set((eb) => ({ erased_counts: eb.ref('item.counts') }))
      .whereRef('ph_application.id', '=', 'item.id'),
  );
  const find = defineLookUps(preparation, { id: 'text' }, (item: Item<TracedItem>) =>
    queries.selectFrom('ph_application').select(['id', 'erased_counts']).where('id', '=', item('id')),
  );

  return {
    saveErasedCounts: writeEach(save, ({ id, counts }) => ({ id, counts: JSON.stringify(counts) })),
    findErasedCounts: findByIds(find, 'id', ({ erased_counts: counts }) =>
      counts === null ? null : (JSON.parse(counts) as ErasureCounts),
    ),
  };
};

interface DeliveryItem {
  readonly key_id: KeyId;
  readonly event_id: EventId;
}

const DELIVERY_ITEM: TableColumns<DeliveryItem> = { key_id: 'text', event_id: 'text' };

interface DeliveryChange extends DeliveryItem {
  readonly outcome: string;
  readonly erased: string;
}

const CHANGE: TableColumns<DeliveryChange> = { ...DELIVERY_ITEM, outcome: 'text', erased: 'text' };

/**
 * Replaces the given outcomes, but not those that a worker has replaced since they were read. An outcome of the worker
 * belongs to a later attempt.
 */
const prepareExcerpts: Prepare<Pick<Repositories['candidates'], 'eraseExcerpts'>> = (preparation) => {
  const { queries, items } = preparation;
  const { findDeliveries, findAttempts } = defineFindOutcomes(preparation);
  const saveDeliveries = define((param: Param<{ rows: JsonRows<DeliveryChange> }>) =>
    queries
      .updateTable('ph_delivery')
      .from(items(param('rows'), CHANGE))
      .set((eb) => ({ last_outcome: eb.ref('item.erased') }))
      .whereRef('ph_delivery.key_id', '=', 'item.key_id')
      .whereRef('ph_delivery.event_id', '=', 'item.event_id')
      .whereRef('ph_delivery.last_outcome', '=', 'item.outcome'),
  );
  const saveAttempts = define((param: Param<{ rows: JsonRows<DeliveryChange & { number: number }> }>) =>
    queries
      .updateTable('ph_attempt')
      .from(items(param('rows'), { ...CHANGE, number: 'integer' }))
      .set((eb) => ({ outcome: eb.ref('item.erased') }))
      .whereRef('ph_attempt.key_id', '=', 'item.key_id')
      .whereRef('ph_attempt.event_id', '=', 'item.event_id')
      .whereRef('ph_attempt.number', '=', 'item.number')
      .whereRef('ph_attempt.outcome', '=', 'item.outcome'),
  );

  return {
    eraseExcerpts: (session, deliveries) =>
      session.write(async (run) => {
        const asked = deliveries.map(({ keyId, eventId }) => ({ key_id: keyId, event_id: eventId }));
        const found = await run.batch(findDeliveries, asked, {});
        // Without a delivery row, there are no attempts.
        const rows = found.rows.map(({ key_id, event_id }) => ({ key_id, event_id }));
        const attempts = await run.batch(findAttempts, rows, {});
        const changes = found.rows.flatMap((row) => changesOf(row, row.last_outcome));
        const ofAttempts = attempts.rows.flatMap((row) =>
          changesOf(row, row.outcome).map((change) => ({ ...change, number: row.number })),
        );
        await run.each(saveDeliveries, changes, {});
        await run.each(saveAttempts, ofAttempts, {});
        return [...changes, ...ofAttempts].map((row) => ({ keyId: row.key_id, eventId: row.event_id }));
      }),
  };
};

function defineFindOutcomes(preparation: Preparation) {
  const { queries } = preparation;
  const findDeliveries = defineLookUp(preparation, DELIVERIES, ['key_id', 'event_id']);
  const findAttempts = defineEach(preparation, DELIVERY_ITEM, (item: Item<DeliveryItem>) =>
    queries
      .selectFrom('ph_attempt')
      .selectAll()
      .where('key_id', '=', item('key_id'))
      .where('event_id', '=', item('event_id'))
      .limit(sql.lit(MOST_ATTEMPTS)),
  );
  return { findDeliveries, findAttempts };
}

/** The storage keeps ten attempts of each delivery. */
const MOST_ATTEMPTS = 10;

function changesOf({ key_id, event_id }: DeliveryItem, outcome: string | null): readonly DeliveryChange[] {
  if (outcome === null) return [];
  const parsed = JSON.parse(outcome) as AttemptOutcome;
  if (parsed.kind !== 'answered' || parsed.excerpt === '') return [];
  return [{ key_id, event_id, outcome, erased: JSON.stringify({ ...parsed, excerpt: '' }) }];
}
