import { WINDOW_MS } from '@partner-hiring/core';
import type { RateWindowRepository } from '@partner-hiring/core/ports';
import type { Prepare } from '../../preparation.js';
import { define, type Param, WRITTEN } from '../../statement.js';
import {
  createSweepPosition,
  type FromSweepPosition,
  fromSweepPosition,
  sweepFrom,
} from '../../sweep-position.js';

/** What removes windows that have ended. */
export const prepareWindowSweep: Prepare<Pick<RateWindowRepository, 'sweep'>> = ({ queries, now }) => {
  const windows = queries.selectFrom('ph_rate_window');
  const findOldest = define((param: Param<FromSweepPosition>) =>
    fromSweepPosition(windows.select('window_start as at'), 'window_start', param),
  );
  const sweep = define((param: Param<FromSweepPosition>) =>
    queries
      .deleteFrom('ph_rate_window')
      .where((eb) =>
        eb(
          eb.refTuple('window_start', 'bucket_id'),
          'in',
          fromSweepPosition(windows.select(['window_start', 'bucket_id']), 'window_start', param)
            .orderBy('bucket_id')
            .$asTuple('window_start', 'bucket_id'),
        ),
      )
      .returning(WRITTEN),
  );
  const position = createSweepPosition(now);

  return (session) => ({
    sweep: (before, limit) =>
      sweepFrom(position, {
        find: (from) => session.read((run) => run.all(findOldest, { from, limit })),
        isOver: (at) => at <= before - WINDOW_MS,
        remove: (from, count) =>
          session.writeWithAsyncCommit((run) => run.count(sweep, { from, limit: count })),
      }),
  });
};
