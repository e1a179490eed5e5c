import type { SubmissionRepository } from '@partner-hiring/core/ports';
import { defineLookUp } from '../batch.js';
import { inOrder, pairKey } from '../in-order.js';
import type { Prepare } from '../preparation.js';
import { prepareSweep } from '../sweep-position.js';
import { IDEMPOTENCY } from '../tables/index.js';
import { addAll, defineAdding, orConflict, prepareChargeAndAdd } from './add-submissions.js';

export const prepareSubmissions: Prepare<SubmissionRepository> = (preparation) => {
  const findRecords = defineLookUp(preparation, IDEMPOTENCY, ['key_id', 'idempotency_key']);
  const adding = defineAdding(preparation);
  const bindChargeAndAdd = prepareChargeAndAdd(preparation);
  /** Deletes the records of expired idempotency keys. */
  const sweep = prepareSweep(preparation, {
    table: 'ph_idempotency',
    column: 'expires_at',
    key: ['key_id', 'idempotency_key'],
    // Another transaction may have bound the same idempotency key again meanwhile.
    recheck: (query, now) => query.where('expires_at', '<=', now),
    isOver: (at, now) => at <= now,
  });

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
    sweep: (now, limit) => sweep(session, now, limit),
  });
};
