import type { Optional } from '../../domain/optional.js';
import { BOOTSTRAP_FACTOR, type RateLimits } from '../../domain/rate-limit.js';
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
}

/** Lists the routes that the host serves, with the limits that the host has set. Contract: 8.1 to 8.4, 8.13. */
export function routeLimits(
  limits: RateLimits,
  selfService: Optional<EndpointRights & { readonly events: boolean }>,
): readonly RouteLimit[] {
  const { submit_application: submissions } = limits;
  const row = (route: string, perMinute: number): RouteLimit => ({
    route,
    perMinute,
    inBootstrap: null,
    isPerCompany: false,
  });
  return [
    {
      route: 'POST /applications',
      perMinute: submissions,
      inBootstrap: submissions * BOOTSTRAP_FACTOR,
      isPerCompany: true,
    },
    row('GET /applications/{id}', limits.read_application),
    row('GET /applications', limits.list_applications),
    row('GET /jobs', limits.list_jobs),
    ...(selfService.events === true ? [row('GET /events', limits.list_events)] : []),
    ...(offersEndpoint(selfService) ? [row('all of /webhook-endpoint', limits.webhook_endpoint)] : []),
  ];
}
