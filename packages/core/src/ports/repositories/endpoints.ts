import type { EndpointBacklog } from '../../domain/backlog.js';
import type { Endpoint, EndpointHealth, EndpointState } from '../../domain/endpoint.js';
import type { PartnerEvent } from '../../domain/event.js';
import type { KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { Lease } from './claims.js';
import type { DueDelivery } from './deliveries.js';

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

/** What became of a worker's claim: still its own, another's by now, or not to be told while somebody changes it. */
export type LeaseState = 'held' | 'lost' | 'busy';

/** Where a worker looks for more to send to an endpoint. */
export interface PollRequest {
  readonly keyId: KeyId;
  /** How far it has read the log. */
  readonly after: Instant;
  /** New events at most. */
  readonly logLimit: number;
  /** Due deliveries at most; at 0 they are not looked for. */
  readonly dueLimit: number;
}

/** What it finds. */
export interface PollResult {
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
   *
   * @param now - by which a delivery is due; leases are judged on the storage's clock.
   * @param except - keys whose endpoints are left alone; none unless given.
   */
  lease(
    lease: Lease,
    now: Instant,
    limit: number,
    except?: readonly KeyId[],
  ): Promise<readonly LeasedEndpoint[]>;
  /**
   * Records of up to `limit` keys, whose last event is from before `before`, that nothing is left to send, so that
   * `lease` does not read their feeds again until they change. Never hides an event that is still to be sent,
   * however late its transaction commits. Returns how many were recorded.
   */
  markIdle(before: Instant, limit: number): Promise<number>;
  /**
   * What there is to send to each: `readLogs`, `listDue` and `findEach`, sent together. The endpoint is read
   * after the log: an event that was recorded during a pause must not meet what was known before it. Each key
   * stands in a batch once.
   */
  poll(asked: readonly PollRequest[], now: Instant): Promise<readonly PollResult[]>;
  /**
   * Extends the leases that still are their token's, each by its length from now on. Waits for nobody: one that
   * another transaction is changing is `busy`, and stays as it is.
   */
  renew(leases: readonly (Holding & Lease)[]): Promise<readonly LeaseState[]>;
  /**
   * The endpoints whose leases still are their token's, locked until the transaction ends; null for what was lost.
   * Waits for nobody: one that another transaction is changing is `busy`. Every settlement begins here.
   */
  findLeased(holdings: readonly Holding[]): Promise<readonly (LeasedEndpoint | 'busy' | null)[]>;
  /** Replaces state and health and moves the watermark, of those whose leases still are their token's. */
  settle(settlements: readonly EndpointSettlement[]): Promise<void>;
  /**
   * Moves the watermark of an endpoint that no worker holds, and ends a claim that ran out, so that its worker
   * records nothing more. False, and nothing is changed, while a worker holds it, or if it would
   * move back.
   */
  advanceWatermark(keyId: KeyId, watermark: Instant): Promise<boolean>;
  /**
   * What waits for each endpoint, or for one, as of `now`; in the order of the keys. No count goes beyond
   * `bound`, so that a backlog of any length costs no more than one of that length.
   */
  backlogs(keyId: KeyId | null, now: Instant, bound: number): Promise<readonly EndpointBacklog[]>;
  /** Gives leases back. */
  release(holdings: readonly Holding[]): Promise<void>;
}
