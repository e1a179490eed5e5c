import type { ApplicationId, Repositories } from '@partner-hiring/core/ports';
import { itemsWith } from '../../batch.js';
import { defineEach, defineLookUps, type Item, prepareFindEach } from '../../look-ups.js';
import { inOrder } from '../../mapping.js';
import type { Prepare } from '../../preparation.js';
import { EVENTS, IDEMPOTENCY } from '../../tables/index.js';
import { IS_REFUSED_OR_BEHIND, toListed } from '../inbox/inbox-rows.js';

export interface TracedItem {
  readonly id: ApplicationId;
}

type Traces = 'findRecords' | 'findEvents' | 'listPostponed';

/** Finds rows about an application in other tables. */
export const prepareTraces: Prepare<Pick<Repositories['candidates'], Traces>> = (preparation) => {
  const { queries } = preparation;
  const findRecords = defineLookUps(preparation, { id: 'text' }, (item: Item<TracedItem>) =>
    queries
      .selectFrom('ph_application as application')
      .innerJoin('ph_idempotency as record', (join) =>
        join
          .onRef('record.key_id', '=', 'application.key_id')
          .onRef('record.idempotency_key', '=', 'application.idempotency_key')
          .onRef('record.application_id', '=', 'application.id'),
      )
      .selectAll('record')
      .where('application.id', '=', item('id')),
  );
  const findEvents = prepareFindEach(preparation, EVENTS, ['key_id', 'at']);
  const listPostponed = defineEach(preparation, { id: 'text' }, (item: Item<TracedItem>) =>
    queries
      .selectFrom('ph_inbox_entry')
      .selectAll()
      .where('application_id', '=', item('id'))
      .where(IS_REFUSED_OR_BEHIND),
  );

  return {
    findRecords: (session, applications) =>
      session.read(async (run) => {
        const ids = applications.map(({ id }) => id);
        const { rows } = await run.batch(findRecords, itemsWith('id', ids), {});
        return inOrder(ids, rows, (row) => row.application_id, IDEMPOTENCY.toValue);
      }),
    findEvents,
    listPostponed: (session, ids) =>
      session.read(async (run) => {
        const { rows } = await run.batch(listPostponed, itemsWith('id', ids), {});
        return rows.map(toListed);
      }),
  };
};
