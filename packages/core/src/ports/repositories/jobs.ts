import type { Access, Company } from '../../domain/access.js';
import type { CompanyId, JobId, KeyId } from '../../domain/ids.js';
import type { Job, JobOutline, UnknownCountry, VisibleJob } from '../../domain/job.js';
import type { FeedPage, ListQuery } from '../../domain/page.js';
import type { FoundForSubmission } from '../../domain/submission.js';
import type { Instant } from '../../domain/time.js';
import type { AgePosition, ListPage } from './partners.js';

/** Stores companies. */
export interface CompanyRepository {
  find(id: CompanyId): Promise<Company | null>;
  findMany(ids: readonly CompanyId[]): Promise<readonly (Company | null)[]>;
  /**
   * Locks companies in order of id until the transaction ends. The lock must not block inserts that refer to
   * a company.
   */
  findForUpdate(ids: readonly CompanyId[]): Promise<readonly (Company | null)[]>;
  /** Adds the companies whose ids do not exist. Returns the ids of those that it added. */
  addMissing(companies: readonly Company[]): Promise<readonly CompanyId[]>;
  save(company: Company): Promise<void>;
  /** Lists companies, oldest first. Without a page, lists all. */
  list(page?: ListPage<AgePosition<CompanyId>>): Promise<readonly Company[]>;
}

/** A page of a key's access. */
export interface AccessListPage extends ListPage<CompanyId> {
  /** Leaves out revoked access. */
  readonly onlyActive: boolean;
}

/** Stores which keys may see the jobs of which companies. */
export interface AccessRepository {
  find(keyId: KeyId, companyId: CompanyId): Promise<Access | null>;
  save(access: Access): Promise<void>;
  /** Includes revoked access. */
  listOfCompanies(companyIds: readonly CompanyId[]): Promise<readonly Access[]>;
  /** Lists a key's access by company. Without a page, lists all, including revoked access. */
  listOfKey(keyId: KeyId, page?: AccessListPage): Promise<readonly Access[]>;
}

/** Stores jobs as the host published them. */
export interface JobRepository {
  /** Adds all jobs, or none if one of the ids exists. Returns the ids that exist. */
  add(jobs: readonly Job[]): Promise<readonly JobId[]>;
  /** Inserts or updates jobs. An update never changes the id or `createdAt`. */
  save(jobs: readonly Job[]): Promise<void>;
  find(ids: readonly JobId[]): Promise<readonly (Job | null)[]>;
  /** Like `find`, without the details. */
  findOutlines(ids: readonly JobId[]): Promise<readonly (JobOutline | null)[]>;
  /** Lists the jobs of all companies, oldest first. A null `state` means any state. */
  list(state: Job['state'] | null, page: ListPage<AgePosition<JobId>>): Promise<readonly Job[]>;
  /** Lists open jobs, oldest first: those that a sync keeps in step, or all. The limit may be 5,000. */
  listOpenOutlines(onlySynced: boolean, page: ListPage<AgePosition<JobId>>): Promise<readonly JobOutline[]>;
  /** Lists jobs, oldest first. A null `state` means any state. Without a page, lists all. */
  listOfCompany(
    companyId: CompanyId,
    state: Job['state'] | null,
    page?: ListPage<AgePosition<JobId>>,
  ): Promise<readonly Job[]>;
  /** Lists the unknown countries of open jobs, in the order of the text. */
  listUnknownCountries(limit: number): Promise<readonly UnknownCountry[]>;
  /** Counts jobs by one range of an index. A null `state` means any state. */
  countOfCompany(companyId: CompanyId, state: Job['state'] | null): Promise<number>;
  /** Finds jobs for submissions, and whether the secrets of the requests still work. Takes no lock. */
  findForSubmissions(
    asked: readonly { readonly keyId: KeyId; readonly secretHash: string; readonly jobId: string }[],
  ): Promise<readonly FoundForSubmission[]>;
}

/** A job as the key last saw it. */
export interface KeyJob {
  readonly keyId: KeyId;
  readonly jobId: JobId;
  readonly companyId: CompanyId;
  readonly visible: boolean;
  readonly changedAt: Instant;
  /** The stamp of the change that made the job visible the last time. */
  readonly visibleSince: Instant;
}

/** Stores how each key sees the jobs. `GET /jobs` and the events `job.opened` and `job.closed` use it. */
export interface KeyJobRepository {
  /** Returns null if the key never saw the job. */
  find(keyId: KeyId, jobId: JobId): Promise<KeyJob | null>;
  listOfJobs(jobIds: readonly JobId[]): Promise<readonly KeyJob[]>;
  listOfCompany(keyId: KeyId, companyId: CompanyId): Promise<readonly KeyJob[]>;
  /** Inserts or updates rows. `changedAt` must be a stamp that this transaction took. */
  save(rows: readonly KeyJob[]): Promise<void>;
  page(query: ListQuery): Promise<FeedPage<VisibleJob>>;
}
