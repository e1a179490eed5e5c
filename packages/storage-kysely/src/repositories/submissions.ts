import type { KeyId, SubmissionRepository } from '@partner-hiring/core/ports';
import type { JsonRows } from '../dialect.js';
import { lookUpEach } from '../each-item.js';
import { inOrder, pairKey } from '../in-order.js';
import type { Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';
import { addAll, defineAdding, orConflict } from './submissions/add-submissions.js';
import { prepareChargeAndAdd } from './submissions/charge-and-add.js';
import { prepareRecordSweep } from './submissions/record-sweep.js';
import { toRecord } from './submissions/submission-rows.js';

interface BoundKey {
  readonly key_id: KeyId;
  readonly idempotency_key: string;
}

/** Submissions: what the commit of a 201 consists of. */
export const prepareSubmissions: Prepare<SubmissionRepository> = (preparation) => {
  const { queries } = preparation;
  const findRecords = define((param: Param<{ rows: JsonRows<BoundKey> }>) =>
    lookUpEach(preparation, param('rows'), { key_id: 'text', idempotency_key: 'text' }, (item) =>
      queries
        .selectFrom('ph_idempotency')
        .selectAll()
        .where('key_id', '=', item('key_id'))
        .where('idempotency_key', '=', item('idempotency_key')),
    ),
  );
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
        return inOrder(keys, rows, (row) => pairKey(row.key_id, row.idempotency_key), toRecord);
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
