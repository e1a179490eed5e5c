import type { RateState } from '../domain/rate-limit.js';
import { SECOND_MS } from '../domain/time.js';
import type { WireErrorCode } from '../errors.js';
import { buildErrorReply } from './error-reply.js';
import type { DiscardLimits, HttpReply } from './message.js';
import type { Outcome } from './route.js';

/**
 * The reply to a request, with the headers that every reply carries. To `HEAD` it is the reply to `GET`
 * without the body.
 */
export function buildHttpReply(outcome: Outcome, requestId: string, method: string): HttpReply {
  const { status, body, headers } =
    outcome.kind === 'answered' ? outcome : buildErrorReply(outcome.error, outcome.rate);
  const all = headersOfAll(body, requestId, outcome.rate);
  return {
    status,
    // Copied where there are any: most replies have none.
    headers:
      headers === undefined && outcome.headers === undefined
        ? all
        : { ...all, ...headers, ...outcome.headers },
    body: method === 'HEAD' ? '' : body,
    discard: isTurnedAway(outcome) ? BRIEFLY : PATIENTLY,
  };
}

/** Enough for any honest client to see the reply. */
const PATIENTLY: DiscardLimits = { maxBytes: 4 * 1024 * 1024, maxMs: 5 * SECOND_MS };
/** Strangers, clients over their limits and slow bodies get no more: what they send in vain costs the others. Decision 15. */
const BRIEFLY: DiscardLimits = { maxBytes: 64 * 1024, maxMs: SECOND_MS };

const TURNED_AWAY: ReadonlySet<WireErrorCode> = new Set([
  'RATE_LIMITED',
  'UNAUTHORIZED',
  'SERVICE_UNAVAILABLE',
]);

function isTurnedAway(outcome: Outcome): boolean {
  return outcome.kind === 'refused' && TURNED_AWAY.has(outcome.error.code);
}

/** The header fields of every reply. Spec: Limits, rule 1. */
function headersOfAll(body: string, requestId: string, rate: RateState): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    // A browser must never take a candidate's text in JSON for a page.
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    'X-RateLimit-Limit': String(rate.limit),
    'X-RateLimit-Remaining': String(rate.remaining),
    'X-RateLimit-Reset': String(Math.ceil(rate.resetAt / SECOND_MS)),
  };
}
