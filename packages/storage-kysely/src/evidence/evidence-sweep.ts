import type { EvidenceRepository, Instant } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import type { Prepare } from '../preparation.js';
import { define, type Param, WRITTEN } from '../statement.js';
import { createSweepPosition, type FromSweepPosition, fromSweepPosition } from '../sweep-position.js';

/** Stops a sweep after this many batches that deleted nothing: the evidence of a kept event, such as a dead letter, stays. */
const MAX_EMPTY_BATCHES = 10;

/** Deletes evidence after its events. Walks over all old rows, so that kept rows do not block those behind them. */
export const prepareEvidenceSweep: Prepare<Pick<EvidenceRepository, 'sweep'>> = ({ queries, now }) => {
  const evidence = queries.selectFrom('ph_delivery_evidence');
  const findOldest = define((param: Param<FromSweepPosition>) =>
    fromSweepPosition(evidence.select('last_at as at'), 'last_at', param),
  );
  const sweep = define((param: Param<FromSweepPosition & { before: Instant }>) =>
    queries
      .deleteFrom('ph_delivery_evidence')
      .where((eb) =>
        eb(
          eb.refTuple('key_id', 'replaced', 'last_at', 'cycle'),
          'in',
          fromSweepPosition(
            evidence.select(['key_id', 'replaced', 'last_at', 'cycle']),
            'last_at',
            param,
          ).$asTuple('key_id', 'replaced', 'last_at', 'cycle'),
        ),
      )
      .where('last_at', '<', param('before'))
      // Compares a value with null, because for `not exists` the planner may read all events.
      .where(
        (eb) =>
          eb
            .selectFrom('ph_event as event')
            .select('event.at')
            .whereRef('event.key_id', '=', 'ph_delivery_evidence.key_id')
            .whereRef('event.at', '>=', 'ph_delivery_evidence.first_at')
            .whereRef('event.at', '<=', 'ph_delivery_evidence.last_at')
            .orderBy('event.at')
            .limit(sql.lit(1)),
        'is',
        null,
      )
      .returning(WRITTEN),
  );
  const position = createSweepPosition(now);
  /** Where the walk continues. Null if it starts again at the position. */
  let reached: Instant | null = null;

  return (session) => {
    /** Returns null if there may be more old rows and no row of this batch was deleted. */
    async function sweepBatch(before: Instant, limit: number): Promise<number | null> {
      const from: Instant = reached ?? position.at();
      const rows = await session.read((run) => run.all(findOldest, { from, limit }));
      const [first] = rows;
      if (first !== undefined && reached === null) position.moveTo(first.at);
      const old = rows.filter(({ at }) => at < before);
      const last = old.at(-1);
      reached = last === undefined || old.length < limit ? null : Math.max(last.at, from + 1);
      if (last === undefined) return 0;
      const removed = await session.write((run) => run.count(sweep, { from, before, limit: old.length }));
      return removed > 0 || reached === null ? removed : null;
    }

    return {
      async sweep(before, limit) {
        for (let batch = 0; batch < MAX_EMPTY_BATCHES; batch += 1) {
          const removed = await sweepBatch(before, limit);
          if (removed !== null) return removed;
        }
        return 0;
      },
    };
  };
};
