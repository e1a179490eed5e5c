import type { JobId, KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { Repositories } from '../../ports/storage.js';
import { jobNotFound } from '../find-or-throw.js';
import { type KeyNames, withKeyNames } from '../names.js';

/** Whether a key sees a job, with the names that belong to the key. */
export interface JobVisibility extends KeyNames {
  readonly keyId: KeyId;
  readonly isVisible: boolean;
  /** Since when: the time of the change that the partner reads, and of its event. */
  readonly since: Instant;
}

export async function listVisibility(
  read: Pick<Repositories, 'jobs' | 'keyJobs' | 'names'>,
  id: JobId,
): Promise<readonly JobVisibility[]> {
  const [job] = await read.jobs.find([id]);
  if (!job) throw jobNotFound(id);
  const seen = await read.keyJobs.listOfJobs([id]);
  const rows = seen.map(({ keyId, visible, changedAt }) => ({ keyId, isVisible: visible, since: changedAt }));
  return withKeyNames(read, rows.toSorted(visibleFirst));
}

function visibleFirst(
  first: Pick<JobVisibility, 'isVisible' | 'since' | 'keyId'>,
  second: Pick<JobVisibility, 'isVisible' | 'since' | 'keyId'>,
): number {
  if (first.isVisible !== second.isVisible) return first.isVisible ? -1 : 1;
  return second.since - first.since || (first.keyId < second.keyId ? -1 : 1);
}
