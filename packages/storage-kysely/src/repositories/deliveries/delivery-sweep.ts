import type { DeliveryRepository, Instant } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import type { Prepare } from '../../preparation.js';
import { define, type Param, WRITTEN } from '../../statement.js';
import {
  createSweepPosition,
  type FromSweepPosition,
  fromSweepPosition,
  sweepFrom,
} from '../../sweep-position.js';

/** What removes deliveries that have long arrived. */
export const prepareDeliverySweep: Prepare<Pick<DeliveryRepository, 'sweep'>> = ({ queries, now }) => {
  const delivered = queries.selectFrom('ph_delivery').where('state', '=', sql.lit('delivered'));
  const findOldest = define((param: Param<FromSweepPosition>) =>
    fromSweepPosition(
      delivered.select(({ ref }) => ref('last_attempt_at').$notNull().as('at')),
      'last_attempt_at',
      param,
    ),
  );
  const sweep = define((param: Param<FromSweepPosition & { before: Instant }>) =>
    queries
      .deleteFrom('ph_delivery')
      .where((eb) =>
        eb(
          eb.refTuple('key_id', 'event_id'),
          'in',
          fromSweepPosition(delivered.select(['key_id', 'event_id']), 'last_attempt_at', param).$asTuple(
            'key_id',
            'event_id',
          ),
        ),
      )
      // Asked again of what another transaction changed meanwhile: it may have been sent on its way again.
      .where('state', '=', sql.lit('delivered'))
      .where('last_attempt_at', '<', param('before'))
      .returning(WRITTEN),
  );
  const position = createSweepPosition(now);

  return (session) => ({
    sweep: (before, limit) =>
      sweepFrom(position, {
        find: (from) => session.read((run) => run.all(findOldest, { from, limit })),
        isOver: (at) => at < before,
        remove: (from, count) => session.write((run) => run.count(sweep, { from, before, limit: count })),
      }),
  });
};
