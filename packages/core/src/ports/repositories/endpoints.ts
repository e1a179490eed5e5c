import type { EndpointBacklog } from '../../domain/backlog.js';
import type { StoredEndpoint } from '../../domain/endpoint.js';
import type { PartnerEvent } from '../../domain/event.js';
import type { KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { Lease } from './claims.js';
import type { DueDelivery } from './deliveries.js';
import type { ListPage } from './partners.js';

/** A worker's lease on an endpoint. */
export interface Holding {
  readonly keyId: KeyId;
  readonly token: string;
}

/** The state of an endpoint after its attempts, to be recorded. */
export interface EndpointSettlement extends Holding, Pick<StoredEndpoint, 'state' | 'health'> {
  /** Never moves back. */
  readonly watermark: Instant;
  readonly release: boolean;
}

/** An endpoint that a worker has leased. */
export interface LeasedEndpoint {
  readonly endpoint: StoredEndpoint;
  /** Every event up to this instant is done or has a delivery row. */
  readonly watermark: Instant;
}

/** The result of a renewal. `busy` means that another transaction locks the row. */
export type LeaseState = 'held' | 'lost' | 'busy';

/** Asks for the new events and due deliveries of one endpoint. */
export interface PollRequest {
  readonly keyId: KeyId;
  readonly after: Instant;
  readonly logLimit: number;
  /** If it is 0, no due deliveries are read. */
  readonly dueLimit: number;
}

/** The new events and due deliveries of an endpoint, and its current row. */
export interface PollResult {
  readonly log: readonly PartnerEvent[];
  readonly due: readonly DueDelivery[];
  readonly endpoint: StoredEndpoint | null;
}

/** A list of paused endpoints continues after this one. */
export interface PausedPosition {
  readonly pausedAt: Instant;
  readonly keyId: KeyId;
}

/** A list of failing endpoints continues after this one. */
export interface FailingPosition {
  readonly failingSince: Instant;
  readonly keyId: KeyId;
}

/** An endpoint, without the counts of its backlog. */
export interface EndpointOutline extends Pick<EndpointBacklog, 'keyId' | 'state' | 'isHeld'> {
  /** False if nothing waits, and nothing is dead. */
  readonly mayWait: boolean;
}

/** Stores endpoints, their watermarks and their leases. */
export interface EndpointRepository {
  find(keyId: KeyId): Promise<StoredEndpoint | null>;
  findEach(keyIds: readonly KeyId[]): Promise<readonly (StoredEndpoint | null)[]>;
  findForUpdate(keyId: KeyId): Promise<StoredEndpoint | null>;
  /** Returns the last stamp of the key's feed before the endpoint was set. Events up to it are not for the endpoint. */
  findLogStart(keyId: KeyId): Promise<Instant | null>;
  /**
   * Inserts or updates an endpoint, except its lease and watermark. The watermark of a new endpoint starts at
   * the head of the feed.
   */
  save(endpoint: StoredEndpoint): Promise<void>;
  /** Lists endpoints by key. Without a page, lists all. */
  list(page?: ListPage<KeyId>): Promise<readonly StoredEndpoint[]>;
  /** Lists paused endpoints. The longest paused come first. */
  listPaused(page: {
    readonly after?: PausedPosition | null;
    readonly limit: number;
  }): Promise<readonly StoredEndpoint[]>;
  /** Lists failing endpoints, even paused ones. The longest failing come first. */
  listFailing(page: {
    readonly after?: FailingPosition | undefined;
    readonly limit: number;
  }): Promise<readonly StoredEndpoint[]>;
  /** Counts failing endpoints, even paused ones. Counting stops at `bound`. */
  countFailing(bound: number): Promise<number>;
  /** Counts endpoints with a gap between their attempts. Counting stops at `bound`. */
  countSlowed(bound: number): Promise<number>;
  /**
   * Locks active endpoints that are due for a warning, by their `nextWarningAt`. The longest due come first. Skips rows
   * that another transaction has locked.
   */
  listToWarn(now: Instant, limit: number): Promise<readonly StoredEndpoint[]>;
  /** Stores the warnings of endpoints that `listToWarn` locked. */
  saveWarnings(endpoints: readonly StoredEndpoint[]): Promise<void>;
  /** Returns the keys that have an endpoint, even a paused one. Events are recorded only for these keys. */
  withEndpoint(keyIds: readonly KeyId[]): Promise<ReadonlySet<KeyId>>;
  /**
   * Leases active endpoints that have work and no holder. Those that have waited longest come first. A power
   * failure may lose leases.
   * @param now - the time that decides which deliveries are due. Leases use the storage's clock.
   * @param except - keys to skip.
   */
  lease(
    lease: Lease,
    now: Instant,
    limit: number,
    except?: readonly KeyId[],
  ): Promise<readonly LeasedEndpoint[]>;
  /**
   * Marks keys as idle if they have no work, and no events since `before`. Returns the number of marked keys. `lease`
   * skips an idle key until it changes. Must not mark a key with an unsent event, even if the event's transaction
   * commits late.
   */
  markIdle(before: Instant, limit: number): Promise<number>;
  /** Combines `readLogs`, `listDue` and `findEach` in one round trip. The endpoint is read after the log. */
  poll(asked: readonly PollRequest[], now: Instant): Promise<readonly PollResult[]>;
  /** Extends each lease that its token still holds. Does not wait for locked rows. */
  renew(leases: readonly (Holding & Lease)[]): Promise<readonly LeaseState[]>;
  /**
   * Locks endpoints until the transaction ends. The result is null if the lease was lost, and `busy` if
   * another transaction locks the row.
   */
  findLeased(holdings: readonly Holding[]): Promise<readonly (LeasedEndpoint | 'busy' | null)[]>;
  /** Replaces the state, health and watermark of each endpoint whose token still holds the lease. */
  settle(settlements: readonly EndpointSettlement[]): Promise<void>;
  /**
   * Advances the watermark and ends an expired lease. Returns false if a worker holds the lease, or if the
   * watermark would move back.
   */
  advanceWatermark(keyId: KeyId, watermark: Instant): Promise<boolean>;
  /** Returns all endpoints in no order. Costs one look-up for each key with deliveries. */
  states(): Promise<readonly EndpointOutline[]>;
  /** Returns the backlogs ordered by key. Counting stops at `bound`, which limits the cost. */
  backlogs(keyId: KeyId | null, now: Instant, bound: number): Promise<readonly EndpointBacklog[]>;
  /** Like `backlogs`, but only of the given keys. */
  backlogsOf(keyIds: readonly KeyId[], now: Instant, bound: number): Promise<readonly EndpointBacklog[]>;
  release(holdings: readonly Holding[]): Promise<void>;
}
