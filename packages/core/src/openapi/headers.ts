import type { RateLimits } from '../domain/rate-limit.js';
import type { OpenApiHeader, OpenApiReference } from './types.js';

/** The headers that every response has. */
const ALWAYS = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Cache-Control',
  'X-Content-Type-Options',
] as const;

const OTHERS = {
  RetryAfter: 'Retry-After',
  SometimesRetryAfter: 'Retry-After',
  UpdatedThrough: 'X-Updated-Through',
  IdempotentReplayed: 'Idempotent-Replayed',
  Challenge: 'WWW-Authenticate',
  Allow: 'Allow',
} as const;

/** A header that some responses have beside those of all. */
export type ExtraHeader = keyof typeof OTHERS;

/** The headers of a response: those of all, and its own. */
export function responseHeaders(
  ...extra: readonly ExtraHeader[]
): Readonly<Record<string, OpenApiReference>> {
  return {
    ...Object.fromEntries(ALWAYS.map((name) => [name, refTo(name)])),
    ...Object.fromEntries(extra.map((key) => [OTHERS[key], refTo(key)])),
  };
}

/** Every header that a response may have. Spec: Limits, rule 1. */
export function componentHeaders(limits: RateLimits): Readonly<Record<string, OpenApiHeader>> {
  const seconds = { type: 'integer', minimum: 1 };
  const headers: Readonly<Record<(typeof ALWAYS)[number] | ExtraHeader, OpenApiHeader>> = {
    'X-Request-Id': always(
      'Names this request. Quote it when you ask about it.',
      { type: 'string' },
      'b2JqZWN0',
    ),
    'X-RateLimit-Limit': always('The most requests of the current window.', count(1), limits.list_jobs),
    'X-RateLimit-Remaining': always('The requests that are left in it.', count(0), limits.list_jobs - 1),
    'X-RateLimit-Reset': always('When the window ends, in Unix seconds.', count(0), 1_795_256_160),
    'Cache-Control': always('Nothing of this API is for a cache.', oneOf('no-store'), 'no-store'),
    'X-Content-Type-Options': always(
      'The body is JSON, whatever it looks like.',
      oneOf('nosniff'),
      'nosniff',
    ),
    RetryAfter: always('Whole seconds to wait before the next try.', seconds, 17),
    SometimesRetryAfter: sometimes(
      'With `IDEMPOTENCY_KEY_IN_PROGRESS`: whole seconds to wait before the next try.',
      seconds,
      1,
    ),
    UpdatedThrough: always(
      'The instant through which you have seen everything, once you have this page. Pass that of the last page as the next `updated_since`.',
      { type: 'string', format: 'date-time' },
      '2026-11-21T10:15:30.123Z',
    ),
    IdempotentReplayed: sometimes(
      'There if the submission had gone through before: this is its first reply again.',
      oneOf('true'),
      'true',
    ),
    Challenge: always('How to authenticate.', oneOf('Bearer'), 'Bearer'),
    Allow: always('The methods that the path takes.', { type: 'string' }, 'GET, HEAD'),
  };
  return headers;
}

function always(description: string, schema: OpenApiHeader['schema'], example: unknown): OpenApiHeader {
  return { description, required: true, schema, example };
}

function sometimes(description: string, schema: OpenApiHeader['schema'], example: unknown): OpenApiHeader {
  return { description, required: false, schema, example };
}

function count(minimum: number): OpenApiHeader['schema'] {
  return { type: 'integer', minimum };
}

function oneOf(...values: readonly string[]): OpenApiHeader['schema'] {
  return { type: 'string', enum: values };
}

function refTo(name: string): OpenApiReference {
  return { $ref: `#/components/headers/${name}` };
}
