import type { Instant } from '../domain/time.js';
import type { ApplicationRepository } from './repositories/applications.js';
import type { AlertRepository, ResumeFileRepository } from './repositories/claims.js';
import type { AccessRepository, CompanyRepository } from './repositories/companies.js';
import type { DeliveryRepository } from './repositories/deliveries.js';
import type { EndpointRepository } from './repositories/endpoints.js';
import type { EventRepository, FeedRepository } from './repositories/feed.js';
import type { JobRepository, KeyJobRepository } from './repositories/jobs.js';
import type { KeyRepository, PartnerRepository } from './repositories/partners.js';
import type { RateWindowRepository, SubmissionRepository } from './repositories/submissions.js';

/**
 * A database. `HostTx` is the transaction type of the host's driver or query builder, so that passing the wrong kind
 * does not compile.
 */
export interface Storage<HostTx> {
  /** Repositories outside a transaction. Each call commits on its own. */
  readonly direct: Repositories;
  /**
   * Runs `work` in a transaction: commits durably when it resolves, rolls back when it rejects. After contention (a
   * busy database or a deadlock) it runs `work` again, so `work` must have no side effects outside the repositories.
   *
   * @throws StorageUnavailable if the database is down, or the result of the commit is unknown.
   */
  transaction<T>(work: (tx: Repositories) => Promise<T>): Promise<T>;
  /** Repositories inside a transaction that the host started and will end. */
  within(hostTx: HostTx): Repositories;
  /** Closes the connections that the storage opened. Connections passed in by the host stay open. */
  close(): Promise<void>;
}

/**
 * All repositories. Batches are arrays, may be empty, and return results in the same order. Repositories decide
 * nothing: callers pass times, ids and results.
 */
export interface Repositories {
  readonly partners: PartnerRepository;
  readonly keys: KeyRepository;
  readonly companies: CompanyRepository;
  readonly access: AccessRepository;
  readonly jobs: JobRepository;
  readonly keyJobs: KeyJobRepository;
  readonly applications: ApplicationRepository;
  readonly submissions: SubmissionRepository;
  readonly rateWindows: RateWindowRepository;
  readonly feed: FeedRepository;
  readonly events: EventRepository;
  readonly endpoints: EndpointRepository;
  readonly deliveries: DeliveryRepository;
  readonly alerts: AlertRepository;
  readonly resumeFiles: ResumeFileRepository;
  readonly time: TimeRepository;
}

/** The storage's clock, shared by all processes. Rate windows and leases use it too. */
export interface TimeRepository {
  /** Returns the current time in whole milliseconds, even inside a long transaction. */
  now(): Promise<Instant>;
}
