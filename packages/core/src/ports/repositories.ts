import type { Access, Company } from '../domain/access.js';
import type { OperatorAlert } from '../domain/alert.js';
import type { Application, ApplicationRecord, ResumeState } from '../domain/application.js';
import type { EndpointBacklog } from '../domain/backlog.js';
import type { AttemptRecord, Delivery, DeliveryState } from '../domain/delivery.js';
import type { Endpoint, EndpointHealth, EndpointState } from '../domain/endpoint.js';
import type { LoggedEvent, PartnerEvent } from '../domain/event.js';
import type { FeedHead, StampRange, StampRequest } from '../domain/feed.js';
import type { IdempotencyRecord } from '../domain/idempotency.js';
import type { AlertId, ApplicationId, CompanyId, EventId, JobId, KeyId, PartnerId } from '../domain/ids.js';
import type { Job, VisibleJob } from '../domain/job.js';
import type { FeedPage, ListQuery } from '../domain/page.js';
import type { KeySecret, Partner, PartnerKey, World } from '../domain/partner-key.js';
import type { WindowCount } from '../domain/rate-limit.js';
import type { ResumeTask } from '../domain/resume.js';
import type { JobForKey } from '../domain/submission.js';
import type { Instant } from '../domain/time.js';

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
  readonly resumes: ResumeRepository;
}

/** What became of an insert that a unique constraint may refuse. */
export type Added = 'added' | 'exists';

/** Who was let in. */
export interface PartnerRepository {
  add(partner: Partner): Promise<Added>;
  find(id: PartnerId): Promise<Partner | null>;
  /** All partners, oldest first. */
  list(): Promise<readonly Partner[]>;
}

/** A secret with the key it opens. */
export interface KeyOfSecret {
  readonly key: PartnerKey;
  readonly secret: KeySecret;
}

/** Keys, and what is kept of their secrets. */
export interface KeyRepository {
  /** Adds a key and its feed head, which starts at `createdAt`. `exists`: the partner has one in that world. */
  add(key: PartnerKey): Promise<Added>;
  find(id: KeyId): Promise<PartnerKey | null>;
  /** The same, locked until the transaction ends: commands about a key's secrets or endpoint take turns. */
  findForUpdate(id: KeyId): Promise<PartnerKey | null>;
  /** The partner's keys, production first; all partners' with null. */
  list(partnerId: PartnerId | null): Promise<readonly PartnerKey[]>;
  addSecret(secret: KeySecret): Promise<void>;
  /** Replaces `expiresAt` and `revokedAt` of the secrets with these hashes. */
  saveSecrets(secrets: readonly KeySecret[]): Promise<void>;
  /** The secrets of a key, newest first, ended ones included. */
  listSecrets(keyId: KeyId): Promise<readonly KeySecret[]>;
  /** For each hash the secret and its key, whether usable or not, or null. */
  findByHashes(hashes: readonly string[]): Promise<readonly (KeyOfSecret | null)[]>;
  /** Notes the use of secrets; not durable against a power failure, and need not be. */
  touchSecrets(hashes: readonly string[], at: Instant): Promise<void>;
}

/** The employers whose jobs are offered. */
export interface CompanyRepository {
  add(company: Company): Promise<Added>;
  find(id: CompanyId): Promise<Company | null>;
  /**
   * For each id the company or null, locked in ascending order of id until the transaction ends. Whatever
   * changes who sees a company's jobs begins here: a grant and a publication at the same moment would
   * otherwise miss each other. Adding rows that refer to a company need not wait.
   */
  findForUpdate(ids: readonly CompanyId[]): Promise<readonly (Company | null)[]>;
  /** Replaces the name. */
  save(company: Company): Promise<void>;
  /** All companies, oldest first. */
  list(): Promise<readonly Company[]>;
}

/** Which company lets which key see its jobs, or once did. */
export interface AccessRepository {
  find(keyId: KeyId, companyId: CompanyId): Promise<Access | null>;
  save(access: Access): Promise<void>;
  /** Every record of these companies, revoked ones included. */
  listOfCompanies(companyIds: readonly CompanyId[]): Promise<readonly Access[]>;
  listOfKey(keyId: KeyId): Promise<readonly Access[]>;
}

/** Jobs as the host knows them. */
export interface JobRepository {
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
  /** Inserts or replaces. Stamps come from {@link FeedRepository.take} in the same transaction. */
  save(rows: readonly KeyJob[]): Promise<void>;
  /** A page of the jobs that a key sees, in the order of its feed. */
  page(query: ListQuery): Promise<FeedPage<VisibleJob>>;
}

/** Applications, for their partners and for the host. */
export interface ApplicationRepository {
  /** For each pair the application, or null if it is unknown or another key's. */
  findOwned(
    pairs: readonly { readonly keyId: KeyId; readonly id: string }[],
  ): Promise<readonly (Application | null)[]>;
  /** For each pair the application that carries the partner's own id, or null. */
  findBySourceIds(
    pairs: readonly { readonly keyId: KeyId; readonly sourceApplicationId: string }[],
  ): Promise<readonly (Pick<Application, 'id'> | null)[]>;
  /** With what only the host reads. Inside a transaction the row stays locked until its end. */
  find(ids: readonly ApplicationId[]): Promise<readonly (ApplicationRecord | null)[]>;
  /** Replaces status, stage and the three instants. */
  saveProgress(applications: readonly Application[]): Promise<void>;
  /** Records how fetching the résumé went. */
  saveResume(id: ApplicationId, resume: ResumeState): Promise<void>;
  /** A page of a key's applications, in the order of its feed. */
  page(query: ListQuery): Promise<FeedPage<Application>>;
  /** The newest applications to a job or of a company, for the host; all with nulls. */
  listRecent(filter: {
    readonly jobId: JobId | null;
    readonly companyId: CompanyId | null;
    readonly limit: number;
  }): Promise<readonly ApplicationRecord[]>;
}

/** All that one accepted submission leaves behind, in one commit. */
export interface AcceptedSubmission {
  readonly application: ApplicationRecord;
  readonly idempotency: IdempotencyRecord;
  /** Null if the candidate gave no résumé. */
  readonly resume: ResumeTask | null;
}

/** What submitting looks up and leaves behind. */
export interface SubmissionRepository {
  /** For each pair the record that binds the key, expired or not, or null. */
  findRecords(
    pairs: readonly { readonly keyId: KeyId; readonly idempotencyKey: string }[],
  ): Promise<readonly (IdempotencyRecord | null)[]>;
  /**
   * Adds applications, idempotency records (replacing expired ones) and résumé tasks. `conflict`: another
   * process bound one of the keys or source ids meanwhile; the transaction must then be given up.
   */
  add(submissions: readonly AcceptedSubmission[]): Promise<'added' | 'conflict'>;
  /** Deletes up to `limit` records that expired before `now`; how many it deleted. */
  sweep(now: Instant, limit: number): Promise<number>;
}

/** Requests to count in one bucket together. */
export interface Charge {
  readonly bucketId: string;
  readonly cost: number;
}

/**
 * Fixed windows, counted on the storage's clock, so that replicas with clocks of their own agree. Counting
 * is one atomic statement and exact across processes; it need not survive a power failure.
 */
export interface RateWindowRepository {
  /** Counts; answers what each bucket's window holds afterwards. Each bucket stands in a batch once. */
  charge(charges: readonly Charge[]): Promise<readonly WindowCount[]>;
  /** What the buckets' windows hold, without counting. */
  read(bucketIds: readonly string[]): Promise<readonly WindowCount[]>;
  /** Deletes up to `limit` windows that ended before `now`; how many it deleted. */
  sweep(now: Instant, limit: number): Promise<number>;
}

/** The head of each key's feed, where stamps come from. */
export interface FeedRepository {
  /**
   * Takes stamps from the heads of several keys, each named once, and locks the heads, in ascending order of
   * key, until the transaction ends. The only thing that moves a head.
   */
  take(requests: readonly StampRequest[], now: Instant): Promise<readonly StampRange[]>;
  /** Where the feed of each key of one world stands, so that one look tells in which of them something happened. */
  listHeads(world: World): Promise<readonly FeedHead[]>;
}

/** The log of each key's events, in the order of its feed. */
export interface EventRepository {
  /** Appends events to the logs of their keys. Their instants are stamps of the same transaction. */
  append(events: readonly PartnerEvent[]): Promise<void>;
  /** The next events of each log, in its order. Each key stands in a batch once. */
  readLogs(
    asked: readonly { readonly keyId: KeyId; readonly after: Instant; readonly limit: number }[],
  ): Promise<readonly (readonly PartnerEvent[])[]>;
  /** Events by id, or null where retention has removed them. */
  find(keyId: KeyId, ids: readonly EventId[]): Promise<readonly (PartnerEvent | null)[]>;
  /**
   * The newest events of a key's log from `from` on and before `before`, newest first, without their bodies,
   * and whether the watermark has passed each. Empty for a key without an endpoint.
   */
  listNewest(filter: {
    readonly keyId: KeyId;
    readonly from: Instant;
    readonly before: Instant;
    readonly limit: number;
  }): Promise<readonly LoggedEvent[]>;
  /** Deletes up to `limit` events before `before` that are done and have no delivery row; how many. */
  sweep(before: Instant, limit: number): Promise<number>;
}

/** A worker's claim on something, until a moment. */
export interface Lease {
  readonly token: string;
  readonly until: Instant;
}

/** A worker's claim on an endpoint. */
export interface Holding {
  readonly keyId: KeyId;
  readonly token: string;
}

/** What settling leaves of an endpoint. */
export interface EndpointSettlement extends Holding {
  readonly state: EndpointState;
  readonly health: EndpointHealth;
  /** It never moves back. */
  readonly watermark: Instant;
  /** Gives the lease back. */
  readonly release: boolean;
}

/** An endpoint as a worker holds it. */
export interface LeasedEndpoint {
  readonly endpoint: Endpoint;
  /** Every event up to here is done or has a delivery row. */
  readonly watermark: Instant;
}

/** Where a worker looks for more to send to an endpoint. */
export interface LookRequest {
  readonly keyId: KeyId;
  /** How far it has read the log. */
  readonly after: Instant;
  /** New events at most. */
  readonly logLimit: number;
  /** Due deliveries at most. */
  readonly dueLimit: number;
}

/** What it finds. */
export interface LookResult {
  readonly log: readonly PartnerEvent[];
  readonly due: readonly DueDelivery[];
  /** As it stands now; null if there is none any more. */
  readonly endpoint: Endpoint | null;
}

/** Endpoints, how far each has come in its log, and which worker holds it. */
export interface EndpointRepository {
  find(keyId: KeyId): Promise<Endpoint | null>;
  /** The endpoints of many keys. */
  findEach(keyIds: readonly KeyId[]): Promise<readonly (Endpoint | null)[]>;
  /** The same as `find`, locked until the transaction ends. */
  findForUpdate(keyId: KeyId): Promise<Endpoint | null>;
  /**
   * Inserts or replaces all but lease and watermark. A new endpoint's watermark starts at the key's feed
   * head: what happened before is not sent.
   */
  save(endpoint: Endpoint): Promise<void>;
  list(): Promise<readonly Endpoint[]>;
  /** Which of the keys have an endpoint, paused ones included: their events are recorded. */
  withEndpoint(keyIds: readonly KeyId[]): Promise<ReadonlySet<KeyId>>;
  /**
   * Leases up to `limit` active endpoints that nobody holds and that have work due: events beyond their
   * watermark or a delivery due by `now`. Those that waited longest come first. A lease need not survive a
   * power failure: without it the endpoint is leased again sooner, and nothing is settled under the old token.
   */
  lease(lease: Lease, now: Instant, limit: number): Promise<readonly LeasedEndpoint[]>;
  /**
   * What there is to send to each: `readLogs`, `listDue` and `findEach`, sent together. The endpoint is read
   * after the log: an event that was recorded during a pause must not meet what was known before it. Each key
   * stands in a batch once.
   */
  look(asked: readonly LookRequest[], now: Instant): Promise<readonly LookResult[]>;
  /** Extends the leases that still are their token's, each until its instant; the keys of those that are. */
  renew(leases: readonly (Holding & Lease)[]): Promise<readonly KeyId[]>;
  /**
   * The endpoints whose leases still are their token's, locked until the transaction ends, in ascending order
   * of key; null for what was lost. Every settlement begins here.
   */
  findLeased(holdings: readonly Holding[]): Promise<readonly (LeasedEndpoint | null)[]>;
  /** Replaces state and health and moves the watermark, of those whose leases still are their token's. */
  settle(settlements: readonly EndpointSettlement[]): Promise<void>;
  /**
   * Moves the watermark of an endpoint that no worker holds, and ends a claim that ran out by `now`, so that
   * its worker records nothing more. False, and nothing is changed, while a worker holds it, or if it would
   * move back.
   */
  passThrough(keyId: KeyId, watermark: Instant, now: Instant): Promise<boolean>;
  /**
   * What waits for each endpoint, or for one, as of `now`; in the order of the keys. No count goes beyond
   * `bound`, so that a backlog of any length costs no more than one of that length.
   */
  backlogs(keyId: KeyId | null, now: Instant, bound: number): Promise<readonly EndpointBacklog[]>;
  /** Gives leases back. */
  release(holdings: readonly Holding[]): Promise<void>;
}

/** A delivery whose next attempt is due, with what to send. */
export interface DueDelivery {
  readonly delivery: Delivery;
  readonly event: PartnerEvent;
}

/** Where a list of deliveries goes on, newest first: right after this one. */
export interface DeliveryPosition {
  readonly eventAt: Instant;
  readonly eventId: EventId;
}

/** Where a list of attempts goes on, newest first: right after this one. */
export type AttemptPosition = Pick<AttemptRecord, 'endedAt' | 'eventId' | 'number'>;

/** Events on their way that need a row of their own: they failed, or hang. */
export interface DeliveryRepository {
  /**
   * Inserts or replaces by key and event. The attempt that a delivery tells of last is kept with it, by the
   * rule of `attemptToKeep`; it takes the place of one with the same number.
   */
  save(deliveries: readonly Delivery[]): Promise<void>;
  /**
   * The pending deliveries of each key that are due by `now`, the longest due first, with their events. Each
   * key stands in a batch once.
   */
  listDue(
    asked: readonly { readonly keyId: KeyId; readonly limit: number }[],
    now: Instant,
  ): Promise<readonly (readonly DueDelivery[])[]>;
  find(keyId: KeyId, eventIds: readonly EventId[]): Promise<readonly (Delivery | null)[]>;
  /** The rows of many keys' events. */
  findEach(
    pairs: readonly { readonly keyId: KeyId; readonly eventId: EventId }[],
  ): Promise<readonly (Delivery | null)[]>;
  /**
   * Rows in one state, newest event first; of one key, or of all with null. Those from `from` on, and after
   * `after` in the list's order; all of them if both are left out.
   */
  list(filter: {
    readonly keyId: KeyId | null;
    readonly state: DeliveryState;
    readonly from?: Instant;
    readonly after?: DeliveryPosition;
    readonly limit: number;
  }): Promise<readonly Delivery[]>;
  /** The attempts that are kept of one delivery, in the order of their cycles and numbers. */
  findAttempts(keyId: KeyId, eventId: EventId): Promise<readonly AttemptRecord[]>;
  /** The attempts that are kept of a key's deliveries, newest first, from `from` on and after `after`. */
  listAttempts(filter: {
    readonly keyId: KeyId;
    readonly from?: Instant;
    readonly after?: AttemptPosition;
    readonly limit: number;
  }): Promise<readonly AttemptRecord[]>;
  /** Deletes up to `limit` rows that were delivered before `before`; how many. Dead letters stay. */
  sweep(before: Instant, limit: number): Promise<number>;
}

/** Alerts wait in the storage until they were handed over, so that a crash loses none. */
export interface AlertRepository {
  add(alerts: readonly OperatorAlert[]): Promise<void>;
  /** Claims up to `limit` alerts that nobody holds, oldest first. */
  claim(lease: Lease, now: Instant, limit: number): Promise<readonly OperatorAlert[]>;
  /** Removes alerts that were handed over. */
  settle(ids: readonly AlertId[], token: string): Promise<void>;
}

/** Résumés that are still to be fetched. */
export interface ResumeRepository {
  /** Adds a task to fetch one again. Those of submissions come with {@link SubmissionRepository.add}. */
  add(task: ResumeTask): Promise<void>;
  /** Claims up to `limit` due tasks that nobody holds, the longest due first. */
  claim(lease: Lease, now: Instant, limit: number): Promise<readonly ResumeTask[]>;
  /** Ends a task for good. False if the lease was lost: then nothing may be recorded. */
  finish(id: ApplicationId, token: string): Promise<boolean>;
  /** Puts a task off to its next round. False if the lease was lost. */
  postpone(task: ResumeTask, token: string): Promise<boolean>;
}
