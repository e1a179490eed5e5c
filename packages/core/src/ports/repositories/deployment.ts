import type { NamedDeployment } from '../../domain/deployment.js';
import type { Instant } from '../../domain/time.js';

/** What a claim of a copy changes, or would change. */
export interface DisarmedCounts {
  /** Endpoints that are paused. */
  readonly endpoints: number;
  /** Events that are not sent any more. */
  readonly deliveries: number;
  /** Downloads of résumés that do not take place. */
  readonly downloads: number;
  /** Alerts and messages that nobody gets. */
  readonly alerts: number;
  /** Links and sessions of the portal. */
  readonly portalPasses: number;
  /** API keys that work. */
  readonly keySecrets: number;
}

/** Stores to which deployment the database belongs, and where it was when it was named. */
export interface DeploymentRepository {
  /** Null if the database has no name. */
  find(): Promise<NamedDeployment | null>;
  /** Names the database, if it has neither a name nor an endpoint. */
  adopt(name: string): Promise<void>;
  /** Replaces the name and the place. */
  save(name: string): Promise<void>;
  /** Counts what `disarm` changes. */
  count(): Promise<DisarmedCounts>;
  /**
   * Pauses every endpoint with the reason `copied`, and drops all that waits to be sent outside and all links and sessions
   * of the portal. With `revokesKeys`, revokes all secrets of keys.
   */
  disarm(at: Instant, revokesKeys: boolean): Promise<void>;
}
