import type { DeliveryRepository, EventId, Instant, KeyId } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { itemsWith } from '../batch.js';
import type { JsonRows } from '../dialect.js';
import { beyond } from '../merged-ranges.js';
import type { Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';
import { DELIVERIES } from '../tables/index.js';

interface WaitingParams {
  readonly keyId: KeyId;
  readonly dueAt: Instant;
  readonly eventAt: Instant;
  readonly limit: number;
}

interface ForwardParams {
  readonly keyId: KeyId;
  readonly dueAt: Instant;
  readonly rows: JsonRows<{ readonly event_id: EventId }>;
}

export const prepareWaitingDeliveries: Prepare<Pick<DeliveryRepository, 'listWaiting' | 'bringForward'>> = (
  preparation,
) => {
  const { queries, items } = preparation;
  const listWaiting = define((param: Param<WaitingParams>) =>
    queries
      .selectFrom('ph_delivery')
      .selectAll()
      .where('key_id', '=', param('keyId'))
      // This value is a literal, because the planner does not match a parameter to a partial index.
      .where('state', '=', sql.lit('pending'))
      .where(beyond('>', { due_at: param('dueAt'), event_at: param('eventAt') }))
      .orderBy('due_at')
      .orderBy('event_at')
      .limit(param('limit')),
  );
  const bringForward = define((param: Param<ForwardParams>) =>
    queries
      .updateTable('ph_delivery')
      .from(items(param('rows'), { event_id: 'text' }))
      .set({ due_at: param('dueAt') })
      .where('ph_delivery.key_id', '=', param('keyId'))
      .whereRef('ph_delivery.event_id', '=', 'item.event_id')
      .where('ph_delivery.state', '=', sql.lit('pending'))
      .where('ph_delivery.due_at', '>', param('dueAt')),
  );

  return {
    listWaiting: (session, { keyId, after: { dueAt, eventAt }, limit }) =>
      session.read((run) => run.list(listWaiting, { keyId, dueAt, eventAt, limit }, DELIVERIES.toValue)),
    bringForward: (session, keyId, eventIds, dueAt) =>
      session.write(async (run) => {
        await run.batch(bringForward, itemsWith('event_id', eventIds), { keyId, dueAt });
      }),
  };
};
