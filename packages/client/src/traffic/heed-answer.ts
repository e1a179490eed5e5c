import { type Answer, apiErrorOf, rateReadingOf } from '../answer.js';
import type { PartnerApiError } from '../errors.js';
import { type Route, tellsOfOwnBucket } from '../route.js';
import { type BucketQueue, standing } from './bucket-queues.js';
import { afterReading, afterRefusal } from './rate-window.js';
import type { TrafficState, Waiting } from './traffic-state.js';

/** Goes by what an answer to a request says of the limits. `left`: the lane that the request left by. */
export function heedAnswer(
  traffic: TrafficState,
  route: Route,
  left: BucketQueue<Waiting>,
  answer: Answer,
): void {
  if (answer.status === 429) throttle(traffic, route, left, answer);
  else note(traffic, route, left, answer);
}

/** Notes what an answer tells of its bucket. */
function note(
  { clock, guessedWaits }: TrafficState,
  route: Route,
  left: BucketQueue<Waiting>,
  answer: Answer,
): void {
  guessedWaits.forget();
  const now = clock.now();
  const reading = rateReadingOf(answer, now);
  if (reading === null || !tellsOfOwnBucket(route, answer)) return;
  const queue = standing(left);
  queue.window = afterReading(queue.window, reading, now);
}

/** Closes what a 429 throttles: the lane of one company, or all of them. */
function throttle(traffic: TrafficState, route: Route, left: BucketQueue<Waiting>, answer: Answer): void {
  const now = traffic.clock.now();
  const refusal = apiErrorOf(answer);
  const waitMs = waitMsOf(traffic, refusal, now);
  if (refusal.scope !== 'partner_company') {
    traffic.closedUntil = Math.max(traffic.closedUntil, now + waitMs);
    return;
  }
  learnFrom(traffic, route, refusal);
  const queue = standing(left);
  const reading = rateReadingOf(answer, now);
  const window = reading === null ? queue.window : afterReading(queue.window, reading, now);
  queue.window = afterRefusal(window, waitMs, now);
}

function waitMsOf(traffic: TrafficState, { retryAfterSeconds }: PartnerApiError, now: number): number {
  // One of 0 says nothing either.
  const askedMs = retryAfterSeconds ? retryAfterSeconds * 1_000 : traffic.guessedWaits.next(now);
  return Math.min(askedMs, traffic.limits.maxRetryAfterMs);
}

/** A 429 says whose the job is. */
function learnFrom({ queues }: TrafficState, route: Route, { companyId }: PartnerApiError): void {
  if (companyId !== null && route.kind === 'submit_application') queues.learn(route.jobId, companyId);
}
