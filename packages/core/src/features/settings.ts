import type { LoweredLimits } from '../domain/rate-limit.js';
import type { RouteLimit } from './portal/route-limits.js';
import type { GoLiveOptions } from './readiness/rules.js';

/** What the commands of features need of the host's options. */
export interface FeatureSettings {
  readonly sandbox: boolean;
  readonly goLive: GoLiveOptions;
  /** Whether the logs of new keys record every event, even without an endpoint. */
  readonly recordsEvents: boolean;
  /** Returns the limits of the partner API, as partners see them. */
  limitsOf(lowered: LoweredLimits | null): readonly RouteLimit[];
  /** The address of the portal of partners. Null if the host has not set it. */
  readonly portalUrl?: string | null | undefined;
}
