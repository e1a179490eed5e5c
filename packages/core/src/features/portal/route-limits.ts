import type { Optional } from '../../domain/optional.js';
import {
  BOOTSTRAP_FACTOR,
  type KeyLimitKind,
  LIMITED_REQUESTS,
  type LoweredLimits,
  type RateLimits,
} from '../../domain/rate-limit.js';
import { type EndpointRights, offersEndpoint } from '../self-service/rules.js';

/** How many requests in a minute a key may send to a route of the partner API. */
export interface RouteLimit {
  readonly kind: KeyLimitKind;
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

/** Lists the routes that the host serves, with the limits that the host has set. Contract: 8.1 to 8.4, 8.13. */
export function routeLimits(
  limits: RateLimits,
  selfService: Optional<EndpointRights & { readonly events: boolean }>,
): readonly RouteLimit[] {
  const row = (kind: KeyLimitKind): RouteLimit => ({
    kind,
    route: LIMITED_REQUESTS[kind],
    perMinute: limits[kind],
    inBootstrap: null,
    isPerCompany: false,
    usual: null,
  });
  const submissions = row('submit_application');
  return [
    { ...submissions, inBootstrap: submissions.perMinute * BOOTSTRAP_FACTOR, isPerCompany: true },
    row('read_application'),
    row('list_applications'),
    row('list_jobs'),
    ...(selfService.events === true ? [row('list_events')] : []),
    ...(offersEndpoint(selfService) ? [row('webhook_endpoint')] : []),
    row('guard'),
  ];
}

/** Returns the limits that apply to a key. @param lowered - its lower limits now. */
export function limitsOfKey(
  limits: readonly RouteLimit[],
  lowered: LoweredLimits | null,
): readonly RouteLimit[] {
  return limits.map((each) => {
    const perMinute = lowered?.perMinute[each.kind] ?? each.perMinute;
    if (perMinute >= each.perMinute) return each;
    const inBootstrap = each.inBootstrap === null ? null : perMinute * BOOTSTRAP_FACTOR;
    return { ...each, perMinute, inBootstrap, usual: each.perMinute };
  });
}
