import type { CompanyId, JobId, KeyId } from '../../domain/ids.js';
import type { Job, VisibleJob } from '../../domain/job.js';
import type { FeedPage, ListQuery } from '../../domain/page.js';
import type { JobForKey } from '../../domain/submission.js';
import type { Instant } from '../../domain/time.js';

/** Jobs as the host knows them. */
export interface JobRepository {
  /** Adds all of them, or none if an id is taken: answers those that are. */
  add(jobs: readonly Job[]): Promise<readonly JobId[]>;
  /** Inserts, or replaces everything but id, company and `createdAt`. */
  save(jobs: readonly Job[]): Promise<void>;
  find(ids: readonly JobId[]): Promise<readonly (Job | null)[]>;
  /** A company's jobs, oldest first; those in that state, or all with null. */
  listOfCompany(companyId: CompanyId, state: Job['state'] | null): Promise<readonly Job[]>;
  /** For each pair the job, its company, and the key's access record; null if there is no such job. */
  findForKeys(
    pairs: readonly { readonly keyId: KeyId; readonly jobId: string }[],
  ): Promise<readonly (JobForKey | null)[]>;
}

/** What a key last saw of a job. */
export interface KeyJob {
  readonly keyId: KeyId;
  readonly jobId: JobId;
  readonly companyId: CompanyId;
  readonly visible: boolean;
  /** The feed's instant at which it last changed for the key. */
  readonly changedAt: Instant;
}

/** Jobs as each key sees them: the feed behind `GET /jobs`, and what decides opened and closed. */
export interface KeyJobRepository {
  /** What any key ever saw of these jobs. */
  listOfJobs(jobIds: readonly JobId[]): Promise<readonly KeyJob[]>;
  /** What one key ever saw of a company's jobs. */
  listOfCompany(keyId: KeyId, companyId: CompanyId): Promise<readonly KeyJob[]>;
  /** Inserts or replaces. Stamps come from `take` of the feed in the same transaction. */
  save(rows: readonly KeyJob[]): Promise<void>;
  /** A page of the jobs that a key sees, in the order of its feed. */
  page(query: ListQuery): Promise<FeedPage<VisibleJob>>;
}
