import type { CompanyId, JobId, KeyId } from '../../domain/ids.js';
import type { Job, VisibleJob } from '../../domain/job.js';
import type { FeedPage, ListQuery } from '../../domain/page.js';
import type { JobForKey } from '../../domain/submission.js';
import type { Instant } from '../../domain/time.js';

/** Stores jobs as the host published them. */
export interface JobRepository {
  /** Adds all jobs, or none if an id exists. Returns the ids that exist. */
  add(jobs: readonly Job[]): Promise<readonly JobId[]>;
  /** Upserts everything except id, company and `createdAt`. */
  save(jobs: readonly Job[]): Promise<void>;
  find(ids: readonly JobId[]): Promise<readonly (Job | null)[]>;
  /** Oldest first. Null means any state. */
  listOfCompany(companyId: CompanyId, state: Job['state'] | null): Promise<readonly Job[]>;
  findForKeys(
    pairs: readonly { readonly keyId: KeyId; readonly jobId: string }[],
  ): Promise<readonly (JobForKey | null)[]>;
}

/** The job as the key last saw it. */
export interface KeyJob {
  readonly keyId: KeyId;
  readonly jobId: JobId;
  readonly companyId: CompanyId;
  readonly visible: boolean;
  readonly changedAt: Instant;
}

/** Stores the jobs as each key sees them, for `GET /jobs`, `job.opened` and `job.closed`. */
export interface KeyJobRepository {
  listOfJobs(jobIds: readonly JobId[]): Promise<readonly KeyJob[]>;
  listOfCompany(keyId: KeyId, companyId: CompanyId): Promise<readonly KeyJob[]>;
  /** `changedAt` is a stamp of this transaction. */
  save(rows: readonly KeyJob[]): Promise<void>;
  page(query: ListQuery): Promise<FeedPage<VisibleJob>>;
}
