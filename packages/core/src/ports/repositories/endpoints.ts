import type { EndpointBacklog } from '../../domain/backlog.js';
import type { Endpoint, EndpointHealth, EndpointState } from '../../domain/endpoint.js';
import type { PartnerEvent } from '../../domain/event.js';
import type { KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { Lease } from './claims.js';
import type { DueDelivery } from './deliveries.js';

/** A worker's lease on an endpoint. */
export interface Holding {
  readonly keyId: KeyId;
  readonly token: string;
}

/** The state of an endpoint after its attempts were recorded. */
export interface EndpointSettlement extends Holding {
  readonly state: EndpointState;
  readonly health: EndpointHealth;
  /** Never moves back. */
  readonly watermark: Instant;
  /** Whether to give up the lease. */
  readonly release: boolean;
}

/** An endpoint that a worker has leased. */
export interface LeasedEndpoint {
  readonly endpoint: Endpoint;
  /** Every event up to here is done or has a delivery row. */
  readonly watermark: Instant;
}

/** `busy`: another transaction is changing the row, so the state is unknown. */
export type LeaseState = 'held' | 'lost' | 'busy';

/** Asks for the work of one endpoint. */
export interface PollRequest {
  readonly keyId: KeyId;
  /** The last event that the worker has read from the log. */
  readonly after: Instant;
  /** The most new events to return. */
  readonly logLimit: number;
  /** The most due deliveries to return. At 0, they are not read. */
  readonly dueLimit: number;
}

/** The work of one endpoint. */
export interface PollResult {
  readonly log: readonly PartnerEvent[];
  readonly due: readonly DueDelivery[];
  /** The current endpoint, or null if it no longer exists. */
  readonly endpoint: Endpoint | null;
}

/** Stores endpoints, their watermarks and their leases. */
export interface EndpointRepository {
  find(keyId: KeyId): Promise<Endpoint | null>;
  findEach(keyIds: readonly KeyId[]): Promise<readonly (Endpoint | null)[]>;
  /** Like `find`, but locks the row until the transaction ends. */
  findForUpdate(keyId: KeyId): Promise<Endpoint | null>;
  /**
   * Upserts everything except lease and watermark. The watermark of a new endpoint starts at the head of the key's
   * feed, so that earlier events are not sent.
   */
  save(endpoint: Endpoint): Promise<void>;
  list(): Promise<readonly Endpoint[]>;
  /** Returns the keys that have an endpoint, even a paused one. Only their events are recorded. */
  withEndpoint(keyIds: readonly KeyId[]): Promise<ReadonlySet<KeyId>>;
  /**
   * Leases up to `limit` active endpoints that no worker holds and that have work: events after their watermark, or a
   * delivery due by `now`. Those that waited longest come first. A lease may be lost in a power failure.
   *
   * @param now - the instant by which deliveries are due. Leases use the storage's clock.
   * @param except - keys to skip.
   */
  lease(
    lease: Lease,
    now: Instant,
    limit: number,
    except?: readonly KeyId[],
  ): Promise<readonly LeasedEndpoint[]>;
  /**
   * Marks up to `limit` keys whose last event is older than `before` and that have nothing to send, so that `lease`
   * skips their feeds until they change. Never hides an unsent event, even if its transaction commits late. Returns
   * the number of marked keys.
   */
  markIdle(before: Instant, limit: number): Promise<number>;
  /**
   * Returns the work of each endpoint: `readLogs`, `listDue` and `findEach` in one round trip. Reads the endpoint
   * after the log, so that an event recorded during a pause is not combined with an older, active endpoint. A batch
   * must not name a key twice.
   */
  poll(asked: readonly PollRequest[], now: Instant): Promise<readonly PollResult[]>;
  /**
   * Extends each lease by its duration from now, if its token still holds it. Does not wait for locks: a locked row
   * stays as it is and returns `busy`.
   */
  renew(leases: readonly (Holding & Lease)[]): Promise<readonly LeaseState[]>;
  /**
   * Returns the endpoints whose tokens still hold their leases, locked until the transaction ends; null if the lease
   * was lost. Does not wait for locks: a row locked by another transaction returns `busy`. Every settlement starts
   * here.
   */
  findLeased(holdings: readonly Holding[]): Promise<readonly (LeasedEndpoint | 'busy' | null)[]>;
  /** Replaces state and health, and advances the watermark, if the token still holds the lease. */
  settle(settlements: readonly EndpointSettlement[]): Promise<void>;
  /**
   * Advances the watermark of an endpoint that no worker holds. Also removes an expired lease, so that its worker
   * records nothing more. Returns false and changes nothing if a worker holds the endpoint or the watermark would
   * move back.
   */
  advanceWatermark(keyId: KeyId, watermark: Instant): Promise<boolean>;
  /**
   * Returns the backlog of each endpoint, or of one, as of `now`, ordered by key. Counts stop at `bound`, which
   * limits the cost of a long backlog.
   */
  backlogs(keyId: KeyId | null, now: Instant, bound: number): Promise<readonly EndpointBacklog[]>;
  /** Gives up leases. */
  release(holdings: readonly Holding[]): Promise<void>;
}
