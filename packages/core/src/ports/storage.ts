import type { KeyId } from '../domain/ids.js';
import type { Instant } from '../domain/time.js';
import type { FeatureRepositories } from '../features/repositories.js';
import type { ApplicationRepository } from './repositories/applications.js';
import type { AuditRepository } from './repositories/audit.js';
import type { DeliveryRepository, EvidenceRepository } from './repositories/deliveries.js';
import type { DeploymentRepository } from './repositories/deployment.js';
import type { EndpointRepository } from './repositories/endpoints.js';
import type { EventRepository, FeedRepository } from './repositories/feed.js';
import type {
  AccessRepository,
  CompanyRepository,
  JobRepository,
  KeyJobRepository,
} from './repositories/jobs.js';
import type { OperationRepository } from './repositories/operations.js';
import type { KeyRepository, NameRepository, PartnerRepository } from './repositories/partners.js';
import type { RateWindowRepository, SubmissionRepository } from './repositories/submissions.js';
import type {
  HourCountRepository,
  StorageFactsRepository,
  WorkerRepository,
  WorkRepository,
} from './repositories/system.js';

/**
 * A database. `HostTx` is the transaction type of the host's driver or query builder; `StorageTx` is the type of the
 * transactions that the storage opens for the host.
 */
export interface Storage<HostTx, StorageTx = unknown> {
  /** The repositories outside a transaction. Each call commits on its own. */
  readonly direct: Repositories;
  /**
   * Runs `work` and commits durably. After contention, runs `work` again, so `work` must have no other side
   * effects.
   * @throws StorageUnavailable if the database is down, or the result of the commit is unknown.
   */
  transaction<T>(work: (tx: Repositories) => Promise<T>): Promise<T>;
  /** Returns the repositories bound to an open transaction of the host, which commits them. */
  within(hostTx: HostTx): Repositories;
  readonly hostTransactions: HostTransactions<StorageTx>;
  /**
   * Returns a number for the part of the database that holds a key's rows, if the storage has several parts. A batch
   * of submissions should have the keys of one part only.
   */
  readonly partOf?: ((keyId: KeyId) => number) | undefined;
  /**
   * Rewrites the database's file so that unused bytes contain nothing of erased rows. Does so only if the first erasure
   * since the last rewriting is at least `afterMs` milliseconds old. Undefined if the database removes such bytes
   * itself, as a server does.
   * @returns false if nothing is due.
   * @throws StorageUnavailable if another transaction is in the way. The rewriting stays due.
   */
  readonly rewriteErased?: ((afterMs: number) => Promise<boolean>) | undefined;
  /**
   * Whether commits of this process notify the listeners of other processes, so that their workers need no poll to
   * find the work.
   */
  readonly announcesWork?: boolean | undefined;
  /** Closes the storage. Connections that belong to the host stay open. */
  close(): Promise<void>;
}

/**
 * All repositories. A batch may be empty. Its results have the order of its input. `take`, `readLogs`,
 * `listDue`, `poll` and `charge` get each key or bucket at most once. `find` returns null for a row that does
 * not exist. `sweep` deletes up to `limit` rows and returns the number of deleted rows.
 */
export interface Repositories extends FeatureRepositories {
  readonly partners: PartnerRepository;
  readonly keys: KeyRepository;
  readonly companies: CompanyRepository;
  readonly access: AccessRepository;
  readonly jobs: JobRepository;
  readonly names: NameRepository;
  readonly keyJobs: KeyJobRepository;
  readonly applications: ApplicationRepository;
  readonly submissions: SubmissionRepository;
  readonly rateWindows: RateWindowRepository;
  readonly feed: FeedRepository;
  readonly events: EventRepository;
  readonly endpoints: EndpointRepository;
  readonly deliveries: DeliveryRepository;
  readonly evidence: EvidenceRepository;
  readonly operations: OperationRepository;
  readonly audit: AuditRepository;
  readonly hourCounts: HourCountRepository;
  readonly workers: WorkerRepository;
  readonly deployment: DeploymentRepository;
  readonly facts: StorageFactsRepository;
  readonly time: TimeRepository;
  readonly work: WorkRepository;
}

/** The storage's clock, shared by all processes. */
export interface TimeRepository {
  /** Returns the current time in whole milliseconds, even inside a long transaction. */
  now(): Promise<Instant>;
}

/** Transactions that the storage opens for code of the host. */
export interface HostTransactions<StorageTx> {
  /** Whether an open transaction blocks all other writers, so that the host's code must be synchronous. */
  readonly areExclusive: boolean;
  /**
   * Commits when `work` resolves. May run it again after contention. `repositories` runs in the same transaction
   * as `tx`, like those of `within(tx)`.
   */
  run<T>(work: (tx: StorageTx, repositories: Repositories) => Promise<T>): Promise<T>;
  /**
   * Runs code that opens the host's own transaction. If transactions are exclusive, no other transaction of
   * this process is open meanwhile. `work` must not open one either.
   */
  runAlone<T>(work: () => Promise<T>): Promise<T>;
}
