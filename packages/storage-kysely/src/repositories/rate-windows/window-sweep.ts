import { WINDOW_MS } from '@partner-hiring/core';
import type { RateWindowRepository } from '@partner-hiring/core/ports';
import { createFront, type FromFront, sweepFrom } from '../../front.js';
import type { Prepare } from '../../preparation.js';
import { define, type Param } from '../../statement.js';

/** What removes windows that have ended. */
export const prepareWindowSweep: Prepare<Pick<RateWindowRepository, 'sweep'>> = ({ queries, now }) => {
  // Both open at their end, for which a planner takes the index in its order, whatever it knows.
  const findOldest = define((param: Param<FromFront>) =>
    queries
      .selectFrom('ph_rate_window')
      .select('window_start as at')
      .where('window_start', '>=', param('from'))
      .orderBy('window_start')
      .limit(param('limit')),
  );
  const sweep = define((param: Param<FromFront>) =>
    queries
      .deleteFrom('ph_rate_window')
      .where((where) =>
        where(
          where.refTuple('window_start', 'bucket_id'),
          'in',
          where
            .selectFrom('ph_rate_window')
            .select(['window_start', 'bucket_id'])
            .where('window_start', '>=', param('from'))
            .orderBy('window_start')
            .orderBy('bucket_id')
            .limit(param('limit'))
            .$asTuple('window_start', 'bucket_id'),
        ),
      ),
  );
  const front = createFront(now);

  return (session) => ({
    sweep: (before, limit) =>
      sweepFrom(front, {
        find: (from) => session.read((run) => run.all(findOldest, { from, limit })),
        isOver: (at) => at <= before - WINDOW_MS,
        remove: (from, count) => session.writeRelaxed((run) => run.changes(sweep, { from, limit: count })),
      }),
  });
};
