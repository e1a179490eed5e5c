import { SubmissionConflictError } from '../errors.js';
import type { SettledSubmission } from '../submission-store.js';
import type { NewSubmission } from '../wire.js';
import { settleSubmission } from './settle-submission.js';
import type { SubmissionContext } from './submission-context.js';
import { createRecord } from './submission-record.js';
import type { Submitted } from './submitted.js';

/** Has it in the store, and then sends it; or goes on with what the store has under its `sourceApplicationId`. */
export async function beginSubmission(
  context: SubmissionContext,
  submission: NewSubmission,
  signal: AbortSignal | undefined,
): Promise<Submitted> {
  signal?.throwIfAborted();
  const fresh = await createRecord(context.scope, submission);
  const stored = await context.store.add(fresh);
  if (stored.fingerprint !== fresh.fingerprint) {
    throw new SubmissionConflictError(stored.sourceApplicationId, stored.state === 'submitted');
  }
  if (stored.state === 'submitted') return known(stored);
  return settleSubmission(context, stored, stored.idempotencyKey !== fresh.idempotencyKey, signal);
}

function known({ application, idempotencyKey }: SettledSubmission): Submitted {
  return { application, outcome: 'known', idempotencyKey, requestId: null };
}
