import type { CompanyId, JobId, KeyId } from '../../domain/ids.js';
import type { Job } from '../../domain/job.js';
import type { JobForKey } from '../../domain/submission.js';

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
