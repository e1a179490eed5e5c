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
 * Where everything lives. `HostTx` is the host's own transaction: what its driver or query builder calls
 * one. Handing over the wrong kind is a compile error.
 */
export interface Storage<HostTx> {
  /** Outside any transaction: each call commits by itself, and reads what was committed. */
  readonly direct: Repositories;
  /**
   * Runs work in one transaction that commits when it resolves and leaves nothing behind when it rejects.
   * Contention (a busy or deadlocked database) is retried from the start, so the work must have no effect
   * beyond the repositories. Durable once resolved.
   *
   * @throws StorageUnavailable when the storage is down, or the outcome of the commit is unknown.
   */
  transaction<T>(work: (tx: Repositories) => Promise<T>): Promise<T>;
  /** The repositories inside a transaction that the host opened and will end. */
  within(hostTx: HostTx): Repositories;
  /** Closes what the storage opened. What the host handed over stays open. */
  close(): Promise<void>;
}

/**
 * Everything that is stored, shaped by the use cases. Batches come in as arrays and their answers keep the
 * order; a batch may be empty. Nothing here decides anything: time, ids and outcomes come in.
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

/**
 * The storage's own clock: one for all processes that use the storage. Rate windows and leases are on the same one.
 */
export interface TimeRepository {
  /** Returns the time now, in whole milliseconds; in a transaction too, however long ago that began. */
  now(): Promise<Instant>;
}
