import { type Access, type ClosedReason, findObstacle, isAccessActive } from '../../domain/access.js';
import type { JobId, KeyId } from '../../domain/ids.js';
import type { Job } from '../../domain/job.js';
import type { Instant } from '../../domain/time.js';
import { type KeyNames, withKeyNames } from '../../operator/names.js';
import type { Repositories } from '../../ports/storage.js';

/** Whether a key sees a job, with the names that belong to the key. */
export interface JobVisibility extends KeyNames {
  readonly keyId: KeyId;
  readonly isVisible: boolean;
  /** The time of the last change that the partner reads in its list: of its event, or of a later edit. */
  readonly changedAt: Instant;
  /**
   * Since when the key sees the job without interruption, or saw it the last time. Edits move only `changedAt`. Closed
   * and reopened, hidden and shown, or access that was revoked and granted again begin it anew.
   */
  readonly visibleSince: Instant;
  /** Until when the key saw the job; null if it sees it. */
  readonly visibleUntil: Instant | null;
  /** Why the key does not see it; null if it sees it. */
  readonly reason: ClosedReason | null;
}

/** A job with the keys that see it. */
export interface FoundJob extends Job {
  /**
   * Each key that sees the job or saw it, at most one for each partner; empty if no key ever saw it. Keys that see it
   * come before those that saw it, and within each group, the latest change comes first.
   */
  readonly visibility: readonly JobVisibility[];
}

/** Finds a job with the keys that see it or saw it. */
export async function findJob(
  read: Pick<Repositories, 'access' | 'jobs' | 'keyJobs' | 'names'>,
  id: JobId,
): Promise<FoundJob | null> {
  const [job] = await read.jobs.find([id]);
  if (!job) return null;
  const seen = await read.keyJobs.listOfJobs([id]);
  const accesses = await read.access.listOfCompanies([job.companyId]);
  const accessOf = new Map(accesses.map((access) => [access.keyId, access]));
  const rows = seen.map(({ keyId, visible: isVisible, changedAt, visibleSince }) => ({
    keyId,
    isVisible,
    changedAt,
    visibleSince,
    visibleUntil: isVisible ? null : changedAt,
    reason: isVisible ? null : explain(job, accessOf.get(keyId), changedAt),
  }));
  return { ...job, visibility: await withKeyNames(read, rows.toSorted(visibleFirst)) };
}

/** Access that was revoked after the job had closed is not why it did. */
function explain(job: Job, access: Access | undefined, hiddenAt: Instant): ClosedReason {
  if (access === undefined) return 'closed_by_customer';
  const hasAccess = isAccessActive(access) || (access.revokedAt ?? 0) > hiddenAt;
  return findObstacle({ hasAccess, job }) ?? 'access_revoked';
}

function visibleFirst(
  first: Pick<JobVisibility, 'isVisible' | 'changedAt' | 'keyId'>,
  second: Pick<JobVisibility, 'isVisible' | 'changedAt' | 'keyId'>,
): number {
  if (first.isVisible !== second.isVisible) return first.isVisible ? -1 : 1;
  return second.changedAt - first.changedAt || (first.keyId < second.keyId ? -1 : 1);
}
