import type { SubmissionRepository } from '@partner-hiring/core/ports';
import { prepareFindEach } from '../batch.js';
import type { Prepare } from '../preparation.js';
import { prepareSweep } from '../sweep-position.js';
import { IDEMPOTENCY } from '../tables/index.js';
import { addAll, defineAdding, orConflict, prepareChargeAndAdd } from './add-submissions.js';

export const prepareSubmissions: Prepare<SubmissionRepository> = (preparation) => {
  const findRecords = prepareFindEach(preparation, IDEMPOTENCY, ['key_id', 'idempotency_key']);
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
    findRecords: (pairs) => findRecords(session, pairs),
    add: (submissions) =>
      orConflict(async () => {
        await session.write((run) => addAll(run, adding, submissions));
        return 'added' as const;
      }),
    ...bindChargeAndAdd(session),
    sweep: (now, limit) => sweep(session, now, limit),
  });
};
