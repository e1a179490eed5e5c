import type { KeyId } from '../domain/ids.js';
import type { PartnerKey } from '../domain/partner-key.js';
import {
  addressBucket,
  freshRateState,
  keyBucket,
  RATE_LIMITS,
  type RateLimits,
  type RateState,
} from '../domain/rate-limit.js';
import { type Instant, SECOND_MS } from '../domain/time.js';
import { misconfiguration, StorageUnavailable } from '../errors.js';
import { presentedHash } from '../partner/key-cache.js';
import type { Admission, PartnerApi } from '../partner/partner-api.js';
import type { Clock, Random } from '../ports/runtime.js';
import type { Logger } from '../ports/telemetry.js';
import { describeAnswer } from './describe-answer.js';
import type { Handler, HttpReply, HttpRequest } from './message.js';
import {
  knownMethod,
  NO_RECORDER,
  type ObservedRequest,
  type RequestObserver,
  type RequestRecorder,
  UNOBSERVED_REQUESTS,
} from './observer.js';
import { buildHttpReply } from './reply.js';
import { type Outcome, type Route, type RouteOutcome, refused, type Uncounted, uncounted } from './route.js';
import { createRouter, type Location, type MakePaths } from './router.js';
import { DEFAULT_BASE_PATH, readBasePath, readTarget } from './target.js';

export interface HandlerOptions {
  readonly partner: PartnerApi;
  /** The storage's time. */
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Pick<Random, 'token'>;
  readonly logger: Logger;
  readonly observer?: RequestObserver;
  readonly recorder?: RequestRecorder | undefined;
  readonly limits?: RateLimits;
  /** Make the paths of features. */
  readonly paths?: readonly MakePaths[];
  readonly basePath?: string | undefined;
  readonly maxBodyBytes?: number | undefined;
  readonly bodyTimeoutMs?: number | undefined;
  readonly maxInFlightPerKey?: number | undefined;
}

interface Arrival {
  readonly request: HttpRequest;
  readonly requestId: string;
  readonly location: Location;
  readonly query: string;
  readonly observed: ObservedRequest;
  readonly caller: Caller;
}

/** The sender of a request, as far as it is known. */
interface Caller {
  keyId: KeyId | null;
  clientAddress: string;
}

/** Several times the size of a body with the longest answers to a form. */
export const DEFAULT_MAX_BODY_BYTES = 256 * 1024;
/** Within this time, a client that sends 9 kB per second can send the largest body. */
export const DEFAULT_BODY_TIMEOUT_MS = 30 * SECOND_MS;
/** More requests than a well-behaved client of one partner has open at once. */
export const DEFAULT_MAX_IN_FLIGHT_PER_KEY = 256;

/** Never rejects: an outage gets 503, any other failure 500. @throws OperatorError `MISCONFIGURED` */
export function createHandler(options: HandlerOptions): Handler {
  const { partner, clock, random, logger, limits = RATE_LIMITS } = options;
  const { observer = UNOBSERVED_REQUESTS, recorder = NO_RECORDER } = options;
  const basePath = readBasePath(options.basePath ?? DEFAULT_BASE_PATH);
  const bodyLimits = {
    maxBytes: readCount(options, 'maxBodyBytes', DEFAULT_MAX_BODY_BYTES, 'a whole number of bytes'),
    timeoutMs: readCount(options, 'bodyTimeoutMs', DEFAULT_BODY_TIMEOUT_MS, 'a whole number of milliseconds'),
  };
  const inFlight = createInFlight(
    readCount(options, 'maxInFlightPerKey', DEFAULT_MAX_IN_FLIGHT_PER_KEY, 'a whole number of requests'),
  );
  const locate = createRouter(partner, {
    basePath,
    bodyLimits,
    more: options.paths ?? [],
  });

  async function serve(arrival: Arrival): Promise<Outcome> {
    const { request, requestId, location, query, observed, caller } = arrival;
    const route = location.apiPath?.routes.get(request.method) ?? null;
    let rate: RateState | null = null;
    try {
      caller.clientAddress = request.clientAddress;
      const admission = await authenticate(partner, request, route, location.pathParameter);
      rate = admission.rate;
      if (admission.kind === 'unauthorized') return refused({ code: 'UNAUTHORIZED' }, rate);
      if (admission.kind === 'limited') {
        caller.keyId = admission.keyId ?? null;
        if (admission.repeatedBy !== null) await partner.chargeGuard(admission.repeatedBy);
        return refused({ code: 'RATE_LIMITED' }, rate);
      }

      const { key, application } = admission;
      caller.keyId = key.id;
      observed.admitted(key.id);
      if (!inFlight.enter(key.id)) return await refuseCrowd(partner, key);
      try {
        const call = { request, key, rate, query, pathParameter: location.pathParameter, application };
        const outcome =
          route === null ? refuseRoute(location, readTarget(request.target).path) : await route.run(call);
        if (outcome.kind === 'ended') return await refuseEnded(arrival);
        return outcome.kind === 'uncounted' ? await countRefusal(partner, key, outcome) : outcome;
      } finally {
        inFlight.leave(key.id);
      }
    } catch (err) {
      const code = err instanceof StorageUnavailable ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR';
      const method = knownMethod(request.method);
      logger.error({ requestId, method, code, err }, 'A partner request failed.');
      return refused({ code }, rate ?? expectedRate(request, route, limits, clock.now()));
    }
  }

  /** Authenticates the request again, so that its 401 equals any other. */
  async function refuseEnded({ request, caller }: Arrival): Promise<Outcome> {
    caller.keyId = null;
    const { kind, rate } = await authenticate(partner, request, null, '');
    return refused({ code: kind === 'limited' ? 'RATE_LIMITED' : 'UNAUTHORIZED' }, rate);
  }

  async function handle(request: HttpRequest): Promise<HttpReply> {
    const arrivedAt = recorder.arrived();
    const requestId = random.token();
    const method = knownMethod(request.method);
    const caller: Caller = { keyId: null, clientAddress: '' };
    const { path, query } = readTarget(request.target);
    const location = locate(path, request.method);
    const observed = observer.arrived({
      requestId,
      method,
      route: location.apiPath?.path ?? null,
    });
    const arrival = { request, requestId, location, query, observed, caller };
    const outcome = await observed.run(() => serve(arrival));
    const reply = buildHttpReply(outcome, requestId, request.method);
    const answer = describeAnswer(outcome, request);
    observed.answered(reply.status, answer.code);
    const route = location.apiPath?.route ?? null;
    recorder.answered({ requestId, method, route, ...caller, status: reply.status, ...answer }, arrivedAt);
    return reply;
  }
  return Object.assign(handle, { basePath });
}

/**
 * Authenticates the caller before the path is checked, because callers without a key must not learn which
 * paths exist. Contract: 4.5.
 */
function authenticate(
  partner: PartnerApi,
  request: HttpRequest,
  route: Route | null,
  pathParameter: string,
): Promise<Admission> {
  return partner.admit({
    authorization: request.headerValues('authorization'),
    clientAddress: request.clientAddress,
    bucket: route?.bucket ?? null,
    applicationId: route?.applicationId?.(pathParameter) ?? null,
  });
}

function refuseRoute({ apiPath }: Location, path: string): RouteOutcome {
  if (apiPath === null) {
    // A base URL that ends with a slash, and a path that begins with one, make two.
    if (path.includes('//')) return uncounted({ code: 'NOT_FOUND', problem: 'It has a doubled slash.' });
    return uncounted({ code: 'NOT_FOUND' });
  }
  return uncounted({ code: 'METHOD_NOT_ALLOWED' }, { Allow: apiPath.allow });
}

function readCount(
  options: HandlerOptions,
  name: 'maxBodyBytes' | 'bodyTimeoutMs' | 'maxInFlightPerKey',
  preset: number,
  what: string,
): number {
  const count = options[name] ?? preset;
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw misconfiguration(`\`${name}\` must be ${what} above 0.`);
}

interface InFlight {
  enter(keyId: KeyId): boolean;
  leave(keyId: KeyId): void;
}

function createInFlight(maxPerKey: number): InFlight {
  const counts = new Map<KeyId, number>();
  return {
    enter: (keyId) => {
      const count = counts.get(keyId) ?? 0;
      if (count >= maxPerKey) return false;
      counts.set(keyId, count + 1);
      return true;
    },
    leave: (keyId) => {
      const count = counts.get(keyId) ?? 0;
      if (count > 1) counts.set(keyId, count - 1);
      else counts.delete(keyId);
    },
  };
}

/**
 * Returns the values of the rate headers for a request that could not be counted because of a failure.
 * Decision 33.
 */
function expectedRate(
  request: HttpRequest,
  route: Route | null,
  limits: RateLimits,
  now: Instant,
): RateState {
  const isKeyPresented = presentedHash(request.headerValues('authorization')) !== null;
  const bucket = isKeyPresented
    ? keyBucket(route?.bucket ?? 'guard', { id: 'key_', loweredLimits: null }, limits)
    : addressBucket('', limits);
  return freshRateState(bucket, now);
}

/**
 * Counts a refused request in the key's guard bucket. If that bucket is exhausted, returns RATE_LIMITED
 * instead.
 */
async function countRefusal(
  partner: Pick<PartnerApi, 'chargeGuard'>,
  key: PartnerKey,
  outcome: Uncounted,
): Promise<Outcome> {
  const { allowed, state: rate } = await partner.chargeGuard(key);
  if (!allowed) return refused({ code: 'RATE_LIMITED' }, rate);
  return { ...outcome, kind: 'refused', rate };
}

async function refuseCrowd(partner: Pick<PartnerApi, 'chargeGuard'>, key: PartnerKey): Promise<Outcome> {
  const { allowed, state } = await partner.chargeGuard(key);
  return refused({ code: 'RATE_LIMITED' }, allowed ? { ...state, retryAfterSeconds: 1 } : state);
}
