import type { Instant, SubmissionRepository } from '@partner-hiring/core/ports';
import type { Prepare } from '../../preparation.js';
import { define, type Param, WRITTEN } from '../../statement.js';
import {
  createSweepPosition,
  type FromSweepPosition,
  fromSweepPosition,
  sweepFrom,
} from '../../sweep-position.js';

/** What removes the records of idempotency keys that are free again. */
export const prepareRecordSweep: Prepare<Pick<SubmissionRepository, 'sweep'>> = (preparation) => {
  const { queries } = preparation;
  const records = queries.selectFrom('ph_idempotency');
  const findOldest = define((param: Param<FromSweepPosition>) =>
    fromSweepPosition(records.select('expires_at as at'), 'expires_at', param),
  );
  const sweep = define((param: Param<FromSweepPosition & { now: Instant }>) =>
    queries
      .deleteFrom('ph_idempotency')
      .where((eb) =>
        eb(
          eb.refTuple('key_id', 'idempotency_key'),
          'in',
          fromSweepPosition(records.select(['key_id', 'idempotency_key']), 'expires_at', param).$asTuple(
            'key_id',
            'idempotency_key',
          ),
        ),
      )
      // Asked again of what another transaction changed meanwhile: the key may have been bound anew.
      .where('expires_at', '<=', param('now'))
      .returning(WRITTEN),
  );
  const position = createSweepPosition(preparation.now);

  return (session) => ({
    sweep: (now, limit) =>
      sweepFrom(position, {
        find: (from) => session.read((run) => run.all(findOldest, { from, limit })),
        isOver: (at) => at <= now,
        remove: (from, count) => session.write((run) => run.count(sweep, { from, now, limit: count })),
      }),
  });
};
