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

/** A database. `HostTx` is the transaction type of the host's driver or query builder. */
export interface Storage<HostTx> {
  /** Each call commits on its own. */
  readonly direct: Repositories;
  /**
   * Commits durably. Runs `work` again after contention, so `work` must have no other side effects.
   * @throws StorageUnavailable if the database is down, or the result of the commit is unknown.
   */
  transaction<T>(work: (tx: Repositories) => Promise<T>): Promise<T>;
  within(hostTx: HostTx): Repositories;
  /** Keeps connections of the host open. */
  close(): Promise<void>;
}

/**
 * All repositories. Batches may be empty and return results in the same order. `take`, `readLogs`, `listDue`,
 * `poll` and `charge` get each key or bucket at most once. `find` returns null for a row that does not exist.
 * `sweep` deletes up to `limit` rows and returns their number.
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

/** The storage's clock, shared by all processes. */
export interface TimeRepository {
  /** In whole milliseconds, even inside a long transaction. */
  now(): Promise<Instant>;
}
