import { PartnerApiError } from './errors.js';
import { isRecord } from './is-record.js';

/** What the client reads of a response's headers. */
export interface HeaderReader {
  get(name: string): string | null;
}

/** A response that arrived whole. */
export interface Answer {
  readonly status: number;
  readonly headers: HeaderReader;
  /** The body as JSON; undefined if it is none. */
  readonly json: unknown;
}

/** Where a bucket stands, as an answer's headers tell it. Spec: Limits, rule 1. */
export interface RateReading {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds on the service's clock: what tells windows apart. */
  readonly reset: number;
  readonly resetsInMs: number;
}

const SECOND_MS = 1_000;
/** Windows last a minute: a longer wait is a wrong clock on either side. Spec: Limits. */
export const WINDOW_MS = 60_000;

/** Reads a body as JSON; undefined if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** `X-Request-Id`; null if there is none. */
export function requestIdOf({ headers }: Answer): string | null {
  return headers.get('x-request-id');
}

/** The error that an answer is. A gateway's own page becomes one as well. */
export function apiErrorOf(answer: Answer): PartnerApiError {
  const body = isRecord(answer.json) ? answer.json : {};
  const isOurs = typeof body.error === 'string' && CODE.test(body.error);
  const throttled = answer.status === 429 ? body : {};
  return new PartnerApiError({
    status: answer.status,
    code: isOurs ? String(body.error) : `HTTP_${answer.status}`,
    message: isOurs && typeof body.message === 'string' ? body.message : NOT_OURS,
    requestId: requestIdOf(answer),
    details: isRecord(body.details) ? body.details : {},
    retryAfterSeconds: retryAfterSecondsOf(answer),
    scope: typeof throttled.scope === 'string' ? throttled.scope : null,
    companyId: typeof throttled.companyId === 'string' ? throttled.companyId : null,
  });
}

/** How codes of the service are spelled; what stands in between says such things as `Not Found`. */
const CODE = /^[A-Z][A-Z0-9_]*$/;

const NOT_OURS = 'This is no answer of the service: see that baseUrl is right, and what stands in between.';

/** `Retry-After` in whole seconds, whether it is spelled in seconds or as a date; null if it is absent. */
export function retryAfterSecondsOf({ headers }: Answer): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
  const at = Date.parse(value);
  return Number.isNaN(at)
    ? null
    : Math.max(0, Math.ceil((at - serviceTime(headers, Date.now())) / SECOND_MS));
}

/** The rate headers, read at that time; null if they are missing or make no sense. */
export function rateReadingOf({ headers }: Answer, now: number): RateReading | null {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(headers.get(`x-ratelimit-${name}`) || Number.NaN),
  ) as [number, number, number];
  // Some gateways say so where there is no limit. Taken at its word, such a bucket would never open.
  if (limit === 0) return null;
  if (![limit, remaining, reset].every((value) => Number.isFinite(value) && value >= 0)) return null;
  const resetsInMs = Math.min(WINDOW_MS, Math.max(0, reset * SECOND_MS - serviceTime(headers, now)));
  return { limit, remaining, reset, resetsInMs };
}

/** The service's own time where the answer tells it: this machine's clock may be minutes off. */
function serviceTime(headers: HeaderReader, now: number): number {
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? now : date;
}
