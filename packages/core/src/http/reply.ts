import type { RateState } from '../domain/rate-limit.js';
import { SECOND_MS } from '../domain/time.js';
import { WIRE_ERRORS, type WireErrorCode } from '../domain/wire-errors.js';
import type { WireError } from '../errors.js';
import type { DiscardLimits, HttpReply } from './message.js';
import type { ExtraHeaders, Outcome } from './route.js';
import type { WireRateLimited } from './wire-schemas/errors.js';

const DISCARD_MUCH: DiscardLimits = { maxBytes: 4 * 1024 * 1024, maxMs: 5 * SECOND_MS };
/**
 * Limits for callers without a valid key, for callers over a rate limit, and for slow bodies. Decision 15.
 */
const DISCARD_LITTLE: DiscardLimits = { maxBytes: 64 * 1024, maxMs: SECOND_MS };

const TURNED_AWAY: ReadonlySet<WireErrorCode> = new Set([
  'RATE_LIMITED',
  'UNAUTHORIZED',
  'SERVICE_UNAVAILABLE',
]);

export function buildHttpReply(outcome: Outcome, requestId: string, method: string): HttpReply {
  const { status, body, headers } =
    outcome.kind === 'answered' ? outcome : buildErrorReply(outcome.error, outcome.rate);
  const all = headersOfAll(body, requestId, outcome.rate);
  const isTurnedAway = outcome.kind === 'refused' && TURNED_AWAY.has(outcome.error.code);
  return {
    status,
    headers:
      headers === undefined && outcome.headers === undefined
        ? all
        : { ...all, ...headers, ...outcome.headers },
    body: method === 'HEAD' ? '' : body,
    discard: isTurnedAway ? DISCARD_LITTLE : DISCARD_MUCH,
  };
}

/** Contract: 8.6. */
function headersOfAll(body: string, requestId: string, rate: RateState): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    // Browsers must not render candidates' text.
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    'X-RateLimit-Limit': String(rate.limit),
    'X-RateLimit-Remaining': String(rate.remaining),
    'X-RateLimit-Reset': String(Math.ceil(rate.resetAt / SECOND_MS)),
  };
}

export interface ErrorReply {
  readonly status: number;
  readonly body: string;
  readonly headers: ExtraHeaders;
}

/** A storage needs only seconds to switch to its standby. */
const UNAVAILABLE_RETRY_AFTER_SECONDS = 5;
const IN_PROGRESS_RETRY_AFTER_SECONDS = 1;
const MAX_REPORTED_ERRORS = 100;

const HEADERS: Partial<Record<WireErrorCode, ExtraHeaders>> = {
  UNAUTHORIZED: { 'WWW-Authenticate': 'Bearer' },
  IDEMPOTENCY_KEY_IN_PROGRESS: { 'Retry-After': String(IN_PROGRESS_RETRY_AFTER_SECONDS) },
  SERVICE_UNAVAILABLE: { 'Retry-After': String(UNAVAILABLE_RETRY_AFTER_SECONDS) },
};
const NO_HEADERS: ExtraHeaders = {};

/** Contract: 9. */
export function buildErrorReply(error: WireError, rate: RateState): ErrorReply {
  const { status, message: rule } = WIRE_ERRORS[error.code];
  if (error.code === 'RATE_LIMITED') {
    return {
      status,
      body: rateLimitedBody(rate),
      headers: { 'Retry-After': String(rate.retryAfterSeconds) },
    };
  }
  const message = error.problem === undefined ? rule : `${rule} ${error.problem}`;
  const details = error.details === undefined ? {} : { details: bounded(error.details) };
  return {
    status,
    body: JSON.stringify({ error: error.code, message, ...details }),
    headers: HEADERS[error.code] ?? NO_HEADERS,
  };
}

function rateLimitedBody({ scope, retryAfterSeconds }: RateState): string {
  const body: WireRateLimited = {
    error: 'RATE_LIMITED',
    message: WIRE_ERRORS.RATE_LIMITED.message,
    scope: scope.kind,
    companyId: scope.kind === 'partner_company' ? scope.companyId : undefined,
    retryAfter: retryAfterSeconds,
  };
  return JSON.stringify(body);
}

function bounded(details: NonNullable<WireError['details']>): NonNullable<WireError['details']> {
  if (!('errors' in details) || details.errors.length <= MAX_REPORTED_ERRORS) return details;
  return { errors: details.errors.slice(0, MAX_REPORTED_ERRORS) };
}
