import type { DeliveryRepository, Instant } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { createFront, type FromFront, sweepFrom } from '../../front.js';
import type { Prepare } from '../../preparation.js';
import { define, type Param } from '../../statement.js';

/** What removes deliveries that have long arrived. */
export const prepareDeliverySweep: Prepare<Pick<DeliveryRepository, 'sweep'>> = ({ queries, now }) => {
  // Both open at their end, for which a planner takes the index in its order, whatever it knows.
  const findOldest = define((param: Param<FromFront>) =>
    queries
      .selectFrom('ph_delivery')
      .select(({ ref }) => ref('last_attempt_at').$notNull().as('at'))
      .where('state', '=', sql.lit('delivered'))
      .where('last_attempt_at', '>=', param('from'))
      .orderBy('last_attempt_at')
      .limit(param('limit')),
  );
  const sweep = define((param: Param<FromFront & { before: Instant }>) =>
    queries
      .deleteFrom('ph_delivery')
      .where((eb) =>
        eb(
          eb.refTuple('key_id', 'event_id'),
          'in',
          eb
            .selectFrom('ph_delivery')
            .select(['key_id', 'event_id'])
            .where('state', '=', sql.lit('delivered'))
            .where('last_attempt_at', '>=', param('from'))
            .orderBy('last_attempt_at')
            .limit(param('limit'))
            .$asTuple('key_id', 'event_id'),
        ),
      )
      // Asked again of what another transaction changed meanwhile: it may have been sent on its way again.
      .where('state', '=', sql.lit('delivered'))
      .where('last_attempt_at', '<', param('before')),
  );
  const front = createFront(now);

  return (session) => ({
    sweep: (before, limit) =>
      sweepFrom(front, {
        find: (from) => session.read((run) => run.all(findOldest, { from, limit })),
        isOver: (at) => at < before,
        remove: (from, count) => session.write((run) => run.changes(sweep, { from, before, limit: count })),
      }),
  });
};
