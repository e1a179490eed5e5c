import type { Optional } from '../../domain/optional.js';
import {
  appliedLimit,
  BOOTSTRAP_FACTOR,
  KEY_LIMIT_KINDS,
  type KeyLimitKind,
  LIMITED_REQUESTS,
  type LoweredLimits,
  type RateLimits,
} from '../../domain/rate-limit.js';
import { type EndpointRights, offersEndpoint } from '../self-service/rules.js';

/** How many requests in a minute a key may send to a route of the partner API. */
export interface RouteLimit {
  /** Such as `GET /jobs`. */
  readonly route: string;
  readonly perMinute: number;
  /** The limit in bootstrap mode. Null if the mode does not change it. */
  readonly inBootstrap: number | null;
  /** Whether each company counts on its own. */
  readonly isPerCompany: boolean;
  /** The limit at other times, if it is lowered now. Otherwise null. */
  readonly usual: number | null;
}

/**
 * Returns a function that lists the routes that the host serves, with the limits that apply to a key: those that the host
 * has set, or the key's lower ones. Contract: 8.1 to 8.4, 8.13, 8.14.
 */
export function routeLimits(
  limits: RateLimits,
  selfService: Optional<EndpointRights & { readonly events: boolean }>,
): (lowered: LoweredLimits | null) => readonly RouteLimit[] {
  const isServed = (kind: KeyLimitKind) => {
    if (kind === 'list_events') return selfService.events === true;
    return kind !== 'webhook_endpoint' || offersEndpoint(selfService);
  };
  return (lowered) =>
    KEY_LIMIT_KINDS.filter(isServed).map((kind) => {
      const perMinute = appliedLimit(kind, limits, lowered);
      const isPerCompany = kind === 'submit_application';
      const inBootstrap = isPerCompany ? perMinute * BOOTSTRAP_FACTOR : null;
      const usual = perMinute < limits[kind] ? limits[kind] : null;
      return { route: LIMITED_REQUESTS[kind], perMinute, inBootstrap, isPerCompany, usual };
    });
}
