import type { Instant, SubmissionRepository } from '@partner-hiring/core/ports';
import { defineLookUp } from '../batch.js';
import { inOrder, pairKey } from '../in-order.js';
import type { Prepare } from '../preparation.js';
import { define, type Param, WRITTEN } from '../statement.js';
import {
  createSweepPosition,
  type FromSweepPosition,
  fromSweepPosition,
  sweepFrom,
} from '../sweep-position.js';
import { IDEMPOTENCY } from '../tables/index.js';
import { addAll, defineAdding, orConflict, prepareChargeAndAdd } from './add-submissions.js';

export const prepareSubmissions: Prepare<SubmissionRepository> = (preparation) => {
  const findRecords = defineLookUp(preparation, IDEMPOTENCY, ['key_id', 'idempotency_key']);
  const adding = defineAdding(preparation);
  const bindChargeAndAdd = prepareChargeAndAdd(preparation);
  const bindSweep = prepareRecordSweep(preparation);

  return (session) => ({
    findRecords: (pairs) =>
      session.read(async (run) => {
        const asked = pairs.map(({ keyId, idempotencyKey }) => ({
          key_id: keyId,
          idempotency_key: idempotencyKey,
        }));
        const { rows } = await run.batch(findRecords, asked, {});
        const keys = asked.map((item) => pairKey(item.key_id, item.idempotency_key));
        return inOrder(keys, rows, (row) => pairKey(row.key_id, row.idempotency_key), IDEMPOTENCY.toValue);
      }),
    add: (submissions) =>
      orConflict(async () => {
        await session.write((run) => addAll(run, adding, submissions));
        return 'added' as const;
      }),
    ...bindChargeAndAdd(session),
    ...bindSweep(session),
  });
};

/** Deletes the records of expired idempotency keys. */
const prepareRecordSweep: Prepare<Pick<SubmissionRepository, 'sweep'>> = (preparation) => {
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
      // Another transaction may have bound the same idempotency key again meanwhile.
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
