import { SubmissionPendingError } from '../errors.js';
import type { SubmissionRecord } from '../submission-store.js';

/** The submission is not settled: that is in the way. */
export function pendingFor(
  { sourceApplicationId }: SubmissionRecord,
  cause: unknown,
): SubmissionPendingError {
  return new SubmissionPendingError(sourceApplicationId, cause);
}
