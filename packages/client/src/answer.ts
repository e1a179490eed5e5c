import { PartnerApiError } from './errors.js';
import { isRecord } from './json.js';

/** The part of `Headers` that the client uses. */
export interface HeaderReader {
  get(name: string): string | null;
}

export interface Answer {
  readonly status: number;
  readonly headers: HeaderReader;
  /** The parsed body; undefined if the body is not JSON, or too large. */
  readonly json: unknown;
  /** Whether the body is larger than the client reads. */
  readonly isTooLarge?: boolean;
}

/** The `X-RateLimit-*` headers. Contract: 8.6. */
export interface RateHeaders {
  readonly limit: number;
  readonly remaining: number;
  /** The end of the window, in Unix seconds on the service's clock. It identifies the window. */
  readonly reset: number;
  readonly resetsInMs: number;
}

const SECOND_MS = 1_000;
/** The length of a rate-limit window. If it seems longer, a clock is wrong. Contract: 8.5. */
export const WINDOW_MS = 60_000;

export function requestIdOf({ headers }: Answer): string | null {
  return headers.get('x-request-id');
}

/** The names in `X-Ignored-Fields`, which are percent-encoded. */
export function ignoredFieldsOf({ headers }: Answer): readonly string[] {
  const names = (headers.get('x-ignored-fields') ?? '').split(',').map((name) => name.trim());
  return names.filter((name) => name !== '').map(decodeName);
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

export function apiErrorOf(answer: Answer): PartnerApiError {
  const body = recordOf(answer.json);
  const isOurs = typeof body.error === 'string' && CODE.test(body.error);
  const throttled = answer.status === 429 ? body : {};
  return new PartnerApiError({
    status: answer.status,
    code: isOurs ? String(body.error) : `HTTP_${answer.status}`,
    message: (isOurs ? textOf(body.message) : null) ?? NOT_OURS,
    requestId: requestIdOf(answer),
    details: recordOf(body.details),
    retryAfterSeconds: retryAfterSecondsOf(answer),
    scope: textOf(throttled.scope),
    companyId: textOf(throttled.companyId),
  });
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Matches the error codes of the partner API. Other servers send texts such as `Not Found`. */
const CODE = /^[A-Z][A-Z0-9_]*$/;

const NOT_OURS = 'Something other than the partner API answered: check baseUrl and any proxy.';

/** `Retry-After` in whole seconds, from seconds or a date; null if missing or invalid. */
export function retryAfterSecondsOf({ headers }: Answer): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
  const at = Date.parse(value);
  return Number.isNaN(at)
    ? null
    : Math.max(0, Math.ceil((at - serviceTime(headers, Date.now())) / SECOND_MS));
}

export function rateHeadersOf({ headers }: Answer, now: number): RateHeaders | null {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(headers.get(`x-ratelimit-${name}`) || Number.NaN),
  ) as [number, number, number];
  // Some gateways send 0 for "unlimited", which would block the bucket forever.
  if (limit === 0) return null;
  if (![limit, remaining, reset].every((value) => Number.isFinite(value) && value >= 0)) return null;
  const resetsInMs = Math.min(WINDOW_MS, Math.max(0, reset * SECOND_MS - serviceTime(headers, now)));
  return { limit, remaining, reset, resetsInMs };
}

/**
 * Returns the service's time in milliseconds from the `Date` header, because the local clock may be minutes off.
 * Without this header, returns `now`.
 */
function serviceTime(headers: HeaderReader, now: number): number {
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? now : date;
}
