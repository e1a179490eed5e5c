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

/** The result of an endpoint's attempts. */
export interface EndpointSettlement extends Holding {
  readonly state: EndpointState;
  readonly health: EndpointHealth;
  /** Never moves back. */
  readonly watermark: Instant;
  readonly release: boolean;
}

/** An endpoint that a worker has leased. */
export interface LeasedEndpoint {
  readonly endpoint: Endpoint;
  /** Every event up to here is done or has a delivery row. */
  readonly watermark: Instant;
}

/** `busy`: another transaction holds the row. */
export type LeaseState = 'held' | 'lost' | 'busy';

/** Asks for the work of one endpoint. */
export interface PollRequest {
  readonly keyId: KeyId;
  readonly after: Instant;
  readonly logLimit: number;
  /** At 0, no deliveries are read. */
  readonly dueLimit: number;
}

/** The work of one endpoint. */
export interface PollResult {
  readonly log: readonly PartnerEvent[];
  readonly due: readonly DueDelivery[];
  readonly endpoint: Endpoint | null;
}

/** Stores endpoints, their watermarks and their leases. */
export interface EndpointRepository {
  find(keyId: KeyId): Promise<Endpoint | null>;
  findEach(keyIds: readonly KeyId[]): Promise<readonly (Endpoint | null)[]>;
  findForUpdate(keyId: KeyId): Promise<Endpoint | null>;
  /** Upserts all but lease and watermark. A new watermark starts at the head of the feed. */
  save(endpoint: Endpoint): Promise<void>;
  list(): Promise<readonly Endpoint[]>;
  /** Includes paused endpoints. Only events of these keys are recorded. */
  withEndpoint(keyIds: readonly KeyId[]): Promise<ReadonlySet<KeyId>>;
  /**
   * Leases active endpoints with work and no holder, longest waiting first. A power failure may lose leases.
   * @param now - when deliveries are due; leases use the storage's clock.
   * @param except - keys to skip.
   */
  lease(
    lease: Lease,
    now: Instant,
    limit: number,
    except?: readonly KeyId[],
  ): Promise<readonly LeasedEndpoint[]>;
  /**
   * Hides keys without work or events since `before` from `lease` until they change, and returns their
   * number. Must not hide an unsent event, even if its transaction commits late.
   */
  markIdle(before: Instant, limit: number): Promise<number>;
  /** Combines `readLogs`, `listDue` and `findEach` in one round trip. Reads the endpoint after the log. */
  poll(asked: readonly PollRequest[], now: Instant): Promise<readonly PollResult[]>;
  /** Extends leases that their tokens still hold. Does not wait for a locked row. */
  renew(leases: readonly (Holding & Lease)[]): Promise<readonly LeaseState[]>;
  /** Locks until the transaction ends; null if the lease was lost. Does not wait for a locked row. */
  findLeased(holdings: readonly Holding[]): Promise<readonly (LeasedEndpoint | 'busy' | null)[]>;
  /** Replaces state, health and watermark where the token still holds the lease. */
  settle(settlements: readonly EndpointSettlement[]): Promise<void>;
  /** Ends an expired lease. Returns false if a worker holds it or the watermark would move back. */
  advanceWatermark(keyId: KeyId, watermark: Instant): Promise<boolean>;
  /** Ordered by key. Counts stop at `bound`, which limits the cost. */
  backlogs(keyId: KeyId | null, now: Instant, bound: number): Promise<readonly EndpointBacklog[]>;
  release(holdings: readonly Holding[]): Promise<void>;
}
