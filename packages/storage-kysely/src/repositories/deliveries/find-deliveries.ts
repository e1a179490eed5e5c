import type { DeliveryRepository, EventId, KeyId } from '@partner-hiring/core/ports';
import type { Columns, JsonRows } from '../../dialect.js';
import { lookUpEach } from '../../each-item.js';
import { inOrder, pairKey } from '../../in-order.js';
import type { Prepare } from '../../preparation.js';
import { define, type Param } from '../../statement.js';
import { toDelivery } from './delivery-rows.js';

interface PairItem {
  readonly key_id: KeyId;
  readonly event_id: EventId;
}

const PAIR_COLUMNS: Columns<PairItem> = { key_id: 'text', event_id: 'text' };

/** Deliveries that are asked for by their events. */
export const prepareFindDeliveries: Prepare<Pick<DeliveryRepository, 'find' | 'findEach'>> = (
  preparation,
) => {
  const { queries } = preparation;
  const find = define((param: Param<{ keyId: KeyId; rows: JsonRows<{ event_id: EventId }> }>) =>
    lookUpEach(preparation, param('rows'), { event_id: 'text' }, (item) =>
      queries
        .selectFrom('ph_delivery')
        .selectAll()
        .where('key_id', '=', param('keyId'))
        .where('event_id', '=', item('event_id')),
    ),
  );
  const findEach = define((param: Param<{ rows: JsonRows<PairItem> }>) =>
    lookUpEach(preparation, param('rows'), PAIR_COLUMNS, (item) =>
      queries
        .selectFrom('ph_delivery')
        .selectAll()
        .where('key_id', '=', item('key_id'))
        .where('event_id', '=', item('event_id')),
    ),
  );

  return (session) => ({
    find: (keyId, eventIds) =>
      session.read(async (run) => {
        const { rows } = await run.batch(
          find,
          eventIds.map((id) => ({ event_id: id })),
          { keyId },
        );
        return inOrder(eventIds, rows, (row) => row.event_id, toDelivery);
      }),
    findEach: (pairs) =>
      session.read(async (run) => {
        const { rows } = await run.batch(
          findEach,
          pairs.map(({ keyId, eventId }) => ({ key_id: keyId, event_id: eventId })),
          {},
        );
        return inOrder(
          pairs.map(({ keyId, eventId }) => pairKey(keyId, eventId)),
          rows,
          (row) => pairKey(row.key_id, row.event_id),
          toDelivery,
        );
      }),
  });
};
