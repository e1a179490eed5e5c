import type { PartnerApiError } from '../errors.js';
import type { PendingSubmission } from '../submission-store.js';
import type { Application } from '../wire.js';
import { pendingFor } from './pending-for.js';
import type { SubmissionContext } from './submission-context.js';

/** The application that an attempt of ours has made whose answer never came; null if it is another one. */
export async function findOwner(
  { findApplication }: SubmissionContext,
  record: PendingSubmission,
  { applicationId }: PartnerApiError,
  signal: AbortSignal | undefined,
): Promise<Application | null> {
  if (applicationId === null) return null;
  try {
    const found = await findApplication(applicationId, signal);
    return found.jobId === record.jobId ? found : null;
  } catch (cause) {
    signal?.throwIfAborted();
    throw pendingFor(record, cause);
  }
}
