import type { ApplicationId, CandidateRepository, Instant, KeyId } from '@partner-hiring/core/ports';
import type { JsonRows } from '../dialect.js';
import type { Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';

interface ClearedItem {
  readonly id: ApplicationId;
  readonly changed_at: Instant;
}

interface ReplyItem {
  readonly key_id: KeyId;
  readonly idempotency_key: string;
  readonly application_id: ApplicationId;
  readonly reply_body: string;
}

interface BodyItem {
  readonly key_id: KeyId;
  readonly at: Instant;
  readonly body: string;
}

/** Removes the partner's own ids of applications. */
export const prepareClearing: Prepare<
  Pick<CandidateRepository, 'clearSourceIds' | 'saveReplies' | 'saveBodies'>
> = ({ queries, items }) => {
  const clear = define((param: Param<{ rows: JsonRows<ClearedItem> }>) =>
    queries
      .updateTable('ph_application')
      .from(items(param('rows'), { id: 'text', changed_at: 'integer' }))
      .set((eb) => ({ source_application_id: null, changed_at: eb.ref('item.changed_at') }))
      .whereRef('ph_application.id', '=', 'item.id'),
  );
  const saveReplies = define((param: Param<{ rows: JsonRows<ReplyItem> }>) =>
    queries
      .updateTable('ph_idempotency')
      .from(
        items(param('rows'), {
          key_id: 'text',
          idempotency_key: 'text',
          application_id: 'text',
          reply_body: 'text',
        }),
      )
      .set((eb) => ({ reply_body: eb.ref('item.reply_body') }))
      .whereRef('ph_idempotency.key_id', '=', 'item.key_id')
      .whereRef('ph_idempotency.idempotency_key', '=', 'item.idempotency_key')
      // Another submission may have bound an expired idempotency key meanwhile.
      .whereRef('ph_idempotency.application_id', '=', 'item.application_id'),
  );
  const saveBodies = define((param: Param<{ rows: JsonRows<BodyItem> }>) =>
    queries
      .updateTable('ph_event')
      .from(items(param('rows'), { key_id: 'text', at: 'integer', body: 'text' }))
      .set((eb) => ({ body: eb.ref('item.body') }))
      .whereRef('ph_event.key_id', '=', 'item.key_id')
      .whereRef('ph_event.at', '=', 'item.at'),
  );

  return (session) => ({
    clearSourceIds: (cleared) =>
      session.write(async (run) => {
        const rows = cleared.map(({ id, changedAt }) => ({ id, changed_at: changedAt }));
        await run.batch(clear, rows, {});
      }),
    saveReplies: (records) =>
      session.write(async (run) => {
        const rows = records.map(({ keyId, idempotencyKey, applicationId, reply }) => ({
          ...{ key_id: keyId, idempotency_key: idempotencyKey },
          ...{ application_id: applicationId, reply_body: reply.body },
        }));
        await run.batch(saveReplies, rows, {});
      }),
    saveBodies: (events) =>
      session.write(async (run) => {
        const rows = events.map(({ keyId, at, body }) => ({ key_id: keyId, at, body }));
        await run.batch(saveBodies, rows, {});
      }),
  });
};
