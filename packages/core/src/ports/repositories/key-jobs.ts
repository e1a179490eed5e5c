import type { CompanyId, JobId, KeyId } from '../../domain/ids.js';
import type { VisibleJob } from '../../domain/job.js';
import type { FeedPage, ListQuery } from '../../domain/page.js';
import type { Instant } from '../../domain/time.js';

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
