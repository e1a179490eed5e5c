import type { CallOptions } from '../call-options.js';
import type { Listing, ListOptions } from '../listing.js';
import type { PendingSubmission } from '../submission-store.js';
import type { Application } from '../wire.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Looks for the application of a submission in the list, from one day before the record was made, because clocks differ.
 * Null if it is not there.
 */
export async function findInList(
  listApplications: (options: ListOptions) => Listing<Application>,
  record: PendingSubmission,
  call: CallOptions,
): Promise<Application | null> {
  const { createdAt, sourceApplicationId } = record;
  const updatedSince = createdAt === undefined ? undefined : new Date(createdAt - DAY_MS);
  for await (const application of listApplications({ ...call, updatedSince })) {
    if (application.sourceApplicationId !== sourceApplicationId) continue;
    if (differingField(application, record) === null) return application;
  }
  return null;
}

/** Returns the field in which an application differs from a submission; null if it is the submission's. */
export function differingField(
  { jobId, sourceApplicationId }: Pick<Application, 'jobId' | 'sourceApplicationId'>,
  sent: PendingSubmission,
): 'jobId' | 'sourceApplicationId' | null {
  if (jobId !== sent.jobId) return 'jobId';
  // An erasure sets it to null.
  const isSame = sourceApplicationId === null || sourceApplicationId === sent.sourceApplicationId;
  return isSame ? null : 'sourceApplicationId';
}
