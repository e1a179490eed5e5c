import { WINDOW_MS } from '@partner-hiring/core';
import type { RateWindowRepository } from '@partner-hiring/core/ports';
import { createFront, type FromFront, fromFrontOn, sweepFrom } from '../../front.js';
import type { Prepare } from '../../preparation.js';
import { define, type Param, WRITTEN } from '../../statement.js';

/** What removes windows that have ended. */
export const prepareWindowSweep: Prepare<Pick<RateWindowRepository, 'sweep'>> = ({ queries, now }) => {
  const windows = queries.selectFrom('ph_rate_window');
  const findOldest = define((param: Param<FromFront>) =>
    fromFrontOn(windows.select('window_start as at'), 'window_start', param),
  );
  const sweep = define((param: Param<FromFront>) =>
    queries
      .deleteFrom('ph_rate_window')
      .where((eb) =>
        eb(
          eb.refTuple('window_start', 'bucket_id'),
          'in',
          fromFrontOn(windows.select(['window_start', 'bucket_id']), 'window_start', param)
            .orderBy('bucket_id')
            .$asTuple('window_start', 'bucket_id'),
        ),
      )
      .returning(WRITTEN),
  );
  const front = createFront(now);

  return (session) => ({
    sweep: (before, limit) =>
      sweepFrom(front, {
        find: (from) => session.read((run) => run.all(findOldest, { from, limit })),
        isOver: (at) => at <= before - WINDOW_MS,
        remove: (from, count) => session.writeRelaxed((run) => run.count(sweep, { from, limit: count })),
      }),
  });
};
