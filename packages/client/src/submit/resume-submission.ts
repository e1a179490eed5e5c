import { PartnerApiError, SubmissionPendingError } from '../errors.js';
import type { PendingSubmission } from '../submission-store.js';
import { settleSubmission } from './settle-submission.js';
import type { SubmissionContext } from './submission-context.js';
import type { Resumed } from './submitted.js';
import { unlessStoreFails } from './unless-store-fails.js';

/** Goes on with what was listed as pending; null if it was settled meanwhile. */
export async function resumeSubmission(
  context: SubmissionContext,
  listed: PendingSubmission,
  signal: AbortSignal | undefined,
): Promise<Resumed | null> {
  signal?.throwIfAborted();
  const { id, sourceApplicationId } = listed;
  try {
    const failure = 'The store could not find it again.';
    const record = await unlessStoreFails(listed, failure, () => context.store.find(id));
    if (record?.state !== 'pending') return null;
    const submitted = await settleSubmission(context, record, true, signal);
    return { kind: 'submitted', sourceApplicationId, submitted };
  } catch (error) {
    if (error instanceof PartnerApiError) return { kind: 'refused', sourceApplicationId, error };
    if (error instanceof SubmissionPendingError) return { kind: 'pending', sourceApplicationId, error };
    throw error;
  }
}
