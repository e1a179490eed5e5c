import { type Answer, apiErrorOf, rateHeadersOf } from '../answer.js';
import type { PartnerApiError } from '../errors.js';
import {
  afterRateHeaders,
  afterRefusal,
  type BucketQueue,
  currentQueue,
  type Route,
} from './bucket-queues.js';
import type { TrafficState, Waiting } from './traffic-state.js';

export function applyRateLimit(
  traffic: TrafficState,
  route: Route,
  sentFrom: BucketQueue<Waiting>,
  answer: Answer,
): void {
  const now = traffic.clock.now();
  if (answer.status === 429) {
    throttle(traffic, route, sentFrom, answer, now);
    return;
  }
  traffic.backoff.reset();
  const headers = rateHeadersOf(answer, now);
  if (headers === null || !describesOwnBucket(route, answer)) return;
  const queue = currentQueue(sentFrom);
  queue.window = afterRateHeaders(queue.window, headers, now);
}

/**
 * Returns whether the rate-limit headers of the response describe the bucket of the request's queue. The service
 * counts refused and replayed submissions in another bucket, and requests with an unknown key by IP address.
 */
export function describesOwnBucket(route: Route, { status, headers }: Answer): boolean {
  if (route.kind !== 'submit_application') return status !== 401;
  return status === 201 && headers.get('idempotent-replayed') === null;
}

/** Stops sending after a 429: for one company if the scope is `partner_company`, otherwise for the whole key. */
function throttle(
  traffic: TrafficState,
  route: Route,
  sentFrom: BucketQueue<Waiting>,
  answer: Answer,
  now: number,
): void {
  const refusal = apiErrorOf(answer);
  const waitMs = waitMsOf(traffic, refusal, now);
  const { scope, companyId } = refusal;
  if (scope !== 'partner_company') {
    traffic.closedUntil = Math.max(traffic.closedUntil, now + waitMs);
    return;
  }
  if (companyId !== null && route.kind === 'submit_application') {
    traffic.queues.learn(route.jobId, companyId);
  }
  const queue = currentQueue(sentFrom);
  const headers = rateHeadersOf(answer, now);
  const window = headers === null ? queue.window : afterRateHeaders(queue.window, headers, now);
  queue.window = afterRefusal(window, waitMs, now);
}

function waitMsOf(traffic: TrafficState, { retryAfterSeconds }: PartnerApiError, now: number): number {
  // 0 counts as missing.
  const waitMs = retryAfterSeconds ? retryAfterSeconds * 1_000 : traffic.backoff.next(now);
  return Math.min(waitMs, traffic.limits.maxRetryAfterMs);
}
