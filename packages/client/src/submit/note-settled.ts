import { type Answer, requestIdOf } from '../answer.js';
import type { PartnerApiError } from '../errors.js';
import type { PendingSubmission, SettledSubmission } from '../submission-store.js';
import type { CreatedApplication } from '../wire.js';
import type { SubmissionContext } from './submission-context.js';
import type { Submitted } from './submitted.js';
import { unlessStoreFails } from './unless-store-fails.js';

/** Has the store keep what it became. */
export async function noteAccepted(
  { store, scope }: SubmissionContext,
  { id, sourceApplicationId, idempotencyKey, fingerprint }: PendingSubmission,
  application: CreatedApplication,
  outcome: Submitted['outcome'],
  answer: Answer,
): Promise<Submitted> {
  const base = { id, scope, sourceApplicationId, idempotencyKey, fingerprint };
  const settled: SettledSubmission = { ...base, state: 'submitted', application };
  const failure = `It was accepted as ${application.id}, but the store could not note that.`;
  await unlessStoreFails(settled, failure, () => store.settle(settled));
  return { application, outcome, idempotencyKey, requestId: requestIdOf(answer) };
}

/** Has the store forget it. */
export async function noteRefused(
  { store }: SubmissionContext,
  record: PendingSubmission,
  { message }: PartnerApiError,
): Promise<void> {
  const failure = `It was refused (${message}), but the store could not note that.`;
  await unlessStoreFails(record, failure, () => store.remove(record));
}
