import { RATE_LIMITS, type RateLimits, type RateState } from '../domain/rate-limit.js';
import { SECOND_MS } from '../domain/time.js';
import { OperatorError } from '../errors.js';
import type { PartnerApi } from '../partner/partner-api.js';
import type { Clock, Random } from '../ports/runtime.js';
import type { Logger } from '../ports/telemetry.js';
import { authenticate } from './authenticate.js';
import { DEFAULT_BASE_PATH, readBasePath } from './base-path.js';
import { createEndpoints, type Location } from './endpoints.js';
import { reportFailure } from './failure.js';
import { createInFlight } from './in-flight.js';
import type { Handler, HttpReply, HttpRequest } from './message.js';
import { knownMethod, type ObservedRequest, type RequestObserver, UNOBSERVED_REQUESTS } from './observer.js';
import { buildHttpReply } from './reply.js';
import { type Outcome, type RouteOutcome, refused, uncounted } from './route.js';
import { readTarget } from './target.js';
import { countRefusal, expectedRate, refuseCrowd } from './throttle.js';

/** What the handler is put together from. */
export interface HandlerOptions {
  readonly partner: PartnerApi;
  /** The storage's time, for what a reply says of a bucket that could not be read. */
  readonly clock: Pick<Clock, 'now'>;
  /** Makes request ids. */
  readonly random: Pick<Random, 'token'>;
  readonly logger: Logger;
  /** Watches requests; nobody does unless given. */
  readonly observer?: RequestObserver;
  /** Requests per minute by bucket; the specification's unless given. */
  readonly limits?: RateLimits;
  /** `/api/v1/external` unless given. */
  readonly basePath?: string | undefined;
  /** The largest request body in bytes; 256 KiB unless given. */
  readonly maxBodyBytes?: number | undefined;
  /** How long a request body may take to arrive; 30 seconds unless given. */
  readonly bodyTimeoutMs?: number | undefined;
  /** How many requests of one key may be under way at a time in this process; 256 unless given. */
  readonly maxInFlightPerKey?: number | undefined;
}

/** A request with what its target says, before anybody was asked who is calling. */
interface Arrival {
  readonly request: HttpRequest;
  readonly requestId: string;
  readonly location: Location;
  readonly query: string;
  readonly observed: ObservedRequest;
}

/** Roomy for a candidate and a long form, and too small to be a way in. */
export const DEFAULT_MAX_BODY_BYTES = 256 * 1024;
/** Time for the largest body at 9 kB a second. A connection that takes longer holds memory and brings nothing. */
export const DEFAULT_BODY_TIMEOUT_MS = 30 * SECOND_MS;
/** Many times what a client keeps under way, and a bound on the memory that one key's slow bodies hold. */
export const DEFAULT_MAX_IN_FLIGHT_PER_KEY = 256;

/**
 * The partner API over HTTP, without a web framework: message in, reply out. It never rejects: an outage is
 * a 503, anything unforeseen a 500, and the cause goes to the logger.
 *
 * @throws OperatorError `MISCONFIGURED` if an option does not fit.
 */
export function createHandler(options: HandlerOptions): Handler {
  const { partner, clock, random, logger, observer = UNOBSERVED_REQUESTS, limits = RATE_LIMITS } = options;
  const basePath = readBasePath(options.basePath ?? DEFAULT_BASE_PATH);
  const bodyLimits = {
    maxBytes: readCount(options, 'maxBodyBytes', DEFAULT_MAX_BODY_BYTES, 'a whole number of bytes'),
    timeoutMs: readCount(options, 'bodyTimeoutMs', DEFAULT_BODY_TIMEOUT_MS, 'a whole number of milliseconds'),
  };
  const inFlight = createInFlight(
    readCount(options, 'maxInFlightPerKey', DEFAULT_MAX_IN_FLIGHT_PER_KEY, 'a whole number of requests'),
  );
  const locate = createEndpoints(partner, { basePath, bodyLimits });

  async function serve({ request, requestId, location, query, observed }: Arrival): Promise<Outcome> {
    const route = location.endpoint?.routes.get(request.method) ?? null;
    let rate: RateState | null = null;
    try {
      const admission = await authenticate(partner, request, route, location.pathParameter);
      rate = admission.rate;
      if (admission.kind === 'unauthorized') return refused({ code: 'UNAUTHORIZED' }, rate);
      if (admission.kind === 'limited') {
        if (admission.repeatedBy !== null) await partner.chargeGuard(admission.repeatedBy);
        return refused({ code: 'RATE_LIMITED' }, rate);
      }

      const { key, application } = admission;
      observed.admitted(key.id);
      if (!inFlight.enter(key.id)) return await refuseCrowd(partner, key);
      try {
        const call = { request, key, rate, query, pathParameter: location.pathParameter, application };
        const outcome = route === null ? refuseRoute(location) : await route.run(call);
        return outcome.kind === 'uncounted' ? await countRefusal(partner, key, outcome) : outcome;
      } finally {
        inFlight.leave(key.id);
      }
    } catch (error) {
      const failure = reportFailure(logger, error, { requestId, method: knownMethod(request.method) });
      return refused(failure, rate ?? expectedRate(request, route, limits, clock.now()));
    }
  }

  async function handle(request: HttpRequest): Promise<HttpReply> {
    const requestId = random.token();
    const { path, query } = readTarget(request.target);
    const location = locate(path);
    const observed = observer.arrived({
      requestId,
      method: knownMethod(request.method),
      route: location.endpoint?.path ?? null,
    });
    const outcome = await observed.run(() => serve({ request, requestId, location, query, observed }));
    const reply = buildHttpReply(outcome, requestId, request.method);
    observed.answered(reply.status, outcome.kind === 'refused' ? outcome.error.code : null);
    return reply;
  }
  return Object.assign(handle, { basePath });
}

/** There is nothing at the path, or nothing for the method. */
function refuseRoute({ endpoint }: Location): RouteOutcome {
  if (endpoint === null) return uncounted({ code: 'NOT_FOUND' });
  return uncounted({ code: 'METHOD_NOT_ALLOWED' }, { Allow: endpoint.allow });
}

function readCount(
  options: HandlerOptions,
  name: 'maxBodyBytes' | 'bodyTimeoutMs' | 'maxInFlightPerKey',
  preset: number,
  what: string,
): number {
  const count = options[name] ?? preset;
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new OperatorError('MISCONFIGURED', `\`${name}\` must be ${what} above 0.`);
}
