import type { RequestRepository } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import type { Preparation, Prepare } from '../preparation.js';
import type { Session } from '../session.js';
import { define, type Param, WRITTEN } from '../statement.js';
import {
  createSweepPosition,
  type FromSweepPosition,
  fromSweepPosition,
  sweepFrom,
} from '../sweep-position.js';

export const prepareRequestSweeps: Prepare<Pick<RequestRepository, 'sweep' | 'sweepReads'>> = (
  preparation,
) => {
  const sweeps = [prepareSweep(preparation, 0), prepareSweep(preparation, 1)];
  const sweepReads = prepareSweepReads(preparation);
  return (session) => ({
    sweep: async (before, limit) => {
      let removed = 0;
      for (const sweep of sweeps) removed += await sweep(session, before, limit);
      return removed;
    },
    sweepReads: (before, limit) => sweepReads(session, before, limit),
  });
};

/** Sweeps errors or other requests, which are different ranges of the index. */
function prepareSweep({ queries, now }: Preparation, kind: 0 | 1) {
  const ofKind = queries.selectFrom('ph_request').where('is_error', '=', sql.lit(kind));
  const findOldest = define((param: Param<FromSweepPosition>) =>
    fromSweepPosition(ofKind.select('at'), 'at', param),
  );
  const remove = define((param: Param<FromSweepPosition>) =>
    queries
      .deleteFrom('ph_request')
      .where('request_id', 'in', () =>
        fromSweepPosition(ofKind.select('request_id'), 'at', param).orderBy('request_id'),
      )
      .returning(WRITTEN),
  );
  const position = createSweepPosition(now);
  return (session: Session, before: number, limit: number) =>
    sweepFrom(position, {
      find: (from) => session.read((run) => run.all(findOldest, { from, limit })),
      isOver: (at) => at < before,
      remove: (from, count) =>
        session.writeWithAsyncCommit((run) => run.count(remove, { from, limit: count })),
    });
}

function prepareSweepReads({ queries, now }: Preparation) {
  const reads = queries.selectFrom('ph_request_read');
  const findOldest = define((param: Param<FromSweepPosition>) =>
    fromSweepPosition(reads.select('sweep_at as at'), 'sweep_at', param),
  );
  const remove = define((param: Param<FromSweepPosition>) =>
    queries
      .deleteFrom('ph_request_read')
      .where((eb) =>
        eb(
          eb.refTuple('key_id', 'route', 'minute'),
          'in',
          fromSweepPosition(reads.select(['key_id', 'route', 'minute']), 'sweep_at', param)
            .orderBy('key_id')
            .orderBy('route')
            .$asTuple('key_id', 'route', 'minute'),
        ),
      )
      .returning(WRITTEN),
  );
  const position = createSweepPosition(now);
  return (session: Session, before: number, limit: number) =>
    sweepFrom(position, {
      find: (from) => session.read((run) => run.all(findOldest, { from, limit })),
      isOver: (at) => at < before - MINUTE_MS,
      remove: (from, count) =>
        session.writeWithAsyncCommit((run) => run.count(remove, { from, limit: count })),
    });
}

const MINUTE_MS = 60_000;
