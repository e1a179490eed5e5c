import type { RateState } from '../domain/rate-limit.js';
import { WIRE_ERRORS, type WireError, type WireErrorCode } from '../errors.js';
import type { ExtraHeaders } from './route.js';
import { rateLimitedBody } from './throttle.js';

/** An error as it goes over the wire, without what every reply carries. */
export interface ErrorReply {
  readonly status: number;
  readonly body: string;
  readonly headers: ExtraHeaders;
}

/** A storage that fails over is back in seconds; partners that come back at once would only find it down. */
const UNAVAILABLE_RETRY_AFTER_SECONDS = 5;
/** The other request is waited for already; it ends or times out by then. */
const IN_PROGRESS_RETRY_AFTER_SECONDS = 1;
/** Nobody repairs more in one go, and a small body must not make a large reply. */
const MAX_REPORTED_ERRORS = 100;

const HEADERS: Partial<Record<WireErrorCode, ExtraHeaders>> = {
  UNAUTHORIZED: { 'WWW-Authenticate': 'Bearer' },
  IDEMPOTENCY_KEY_IN_PROGRESS: { 'Retry-After': String(IN_PROGRESS_RETRY_AFTER_SECONDS) },
  SERVICE_UNAVAILABLE: { 'Retry-After': String(UNAVAILABLE_RETRY_AFTER_SECONDS) },
};
const NO_HEADERS: ExtraHeaders = {};

/** Spells an error: status, body and the headers that belong to its code. Spec: Errors. */
export function buildErrorReply(error: WireError, rate: RateState): ErrorReply {
  const { status, message } = WIRE_ERRORS[error.code];
  if (error.code === 'RATE_LIMITED') {
    return {
      status,
      body: rateLimitedBody(rate),
      headers: { 'Retry-After': String(rate.retryAfterSeconds) },
    };
  }
  const details = error.details === undefined ? {} : { details: bounded(error.details) };
  return {
    status,
    body: JSON.stringify({ error: error.code, message, ...details }),
    headers: HEADERS[error.code] ?? NO_HEADERS,
  };
}

function bounded(details: NonNullable<WireError['details']>): NonNullable<WireError['details']> {
  if (!('errors' in details) || details.errors.length <= MAX_REPORTED_ERRORS) return details;
  return { errors: details.errors.slice(0, MAX_REPORTED_ERRORS) };
}
