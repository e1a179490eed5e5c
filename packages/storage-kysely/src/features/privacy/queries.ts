import type { ApplicationId, Instant, Repositories } from '@partner-hiring/core/ports';
import { defineUpdate, writeEach } from '../../batch.js';
import type { JsonRows } from '../../dialect.js';
import type { Prepare } from '../../preparation.js';
import { define, type Param } from '../../statement.js';
import { EVENTS, IDEMPOTENCY } from '../../tables/index.js';
import { prepareErasing } from './erase-candidates.js';
import { prepareTraces } from './find-traces.js';
import { prepareCandidateLists, prepareEmailLists } from './list-candidates.js';

export const prepareCandidates: Prepare<
  Omit<Repositories['candidates'], 'findResumeFiles' | 'cancelResumeFiles'>
> = (preparation) => ({
  ...prepareCandidateLists(preparation),
  ...prepareEmailLists(preparation),
  ...prepareTraces(preparation),
  ...prepareErasing(preparation),
  ...prepareClearing(preparation),
});

const REPLIES = IDEMPOTENCY.pick('key_id', 'idempotency_key', 'application_id', 'reply_body');
const BODIES = EVENTS.pick('key_id', 'at', 'body');

/** Removes the partner's own ids of applications. */
const prepareClearing: Prepare<
  Pick<Repositories['candidates'], 'clearSourceIds' | 'saveReplies' | 'saveBodies'>
> = (preparation) => {
  const { queries, items } = preparation;
  const clear = define((param: Param<{ rows: JsonRows<{ id: ApplicationId; changed_at: Instant }> }>) =>
    queries
      .updateTable('ph_application')
      .from(items(param('rows'), { id: 'text', changed_at: 'integer' }))
      .set((eb) => ({ source_application_id: null, changed_at: eb.ref('item.changed_at') }))
      .whereRef('ph_application.id', '=', 'item.id'),
  );
  const saveReplies = defineUpdate(preparation, {
    table: REPLIES,
    // Another submission may have bound an expired idempotency key meanwhile.
    by: ['key_id', 'idempotency_key', 'application_id'],
  });
  const saveBodies = defineUpdate(preparation, { table: BODIES, by: ['key_id', 'at'] });

  return {
    clearSourceIds: writeEach(clear, ({ id, changedAt }) => ({ id, changed_at: changedAt })),
    saveReplies: writeEach(saveReplies, REPLIES.toRow),
    saveBodies: writeEach(saveBodies, BODIES.toRow),
  };
};
