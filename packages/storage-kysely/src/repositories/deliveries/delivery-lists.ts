import type { DeliveryRepository, DeliveryState, EventId, Instant, KeyId } from '@partner-hiring/core/ports';
import type { ExpressionBuilder } from 'kysely';
import type { Prepare } from '../../preparation.js';
import type { Schema } from '../../schema.js';
import { define, type Param } from '../../statement.js';
import { toDelivery } from './delivery-rows.js';

interface ListParams {
  readonly state: DeliveryState;
  readonly eventAt: Instant;
  readonly eventId: EventId | '';
  readonly limit: number;
}

/** Before it, in the order of the list, comes nothing. */
const START = { eventAt: Number.MAX_SAFE_INTEGER, eventId: '' } as const;

/** Pages of deliveries that have a row, newest event first. */
export const prepareDeliveryLists: Prepare<Pick<DeliveryRepository, 'list'>> = ({ queries }) => {
  const selectNewest = queries
    .selectFrom('ph_delivery')
    .selectAll()
    .orderBy('event_at', 'desc')
    .orderBy('event_id', 'desc');
  const list = define((param: Param<ListParams>) =>
    selectNewest
      .where('state', '=', param('state'))
      .where((where) => isAfter(where, param))
      .limit(param('limit')),
  );
  const listOfKey = define((param: Param<ListParams & { keyId: KeyId }>) =>
    selectNewest
      .where('key_id', '=', param('keyId'))
      .where('state', '=', param('state'))
      .where((where) => isAfter(where, param as Param<ListParams>))
      .limit(param('limit')),
  );

  return (session) => ({
    list: ({ keyId, state, from = 0, after = START, limit }) =>
      session.read(async (run) => {
        const { eventAt, eventId } = after;
        const values = { state, eventAt, eventId, limit };
        const rows =
          keyId === null ? await run.all(list, values) : await run.all(listOfKey, { ...values, keyId });
        // Newest first, so what is too old comes last. As a condition it would lead SQLite to another index.
        return rows.filter((row) => row.event_at >= from).map(toDelivery);
      }),
  });
};

/** A row comparison: one range of the index, where two conditions with `or` would read it from its start. */
function isAfter(where: ExpressionBuilder<Schema, 'ph_delivery'>, param: Param<ListParams>) {
  return where(
    where.refTuple('event_at', 'event_id'),
    '<',
    where.tuple(param('eventAt'), param('eventId') as never),
  );
}
