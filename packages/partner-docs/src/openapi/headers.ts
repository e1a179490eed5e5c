import type { RateLimits } from '@partner-hiring/core';
import type { OpenApiHeader, OpenApiReference } from './types.js';

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
  IgnoredFields: 'X-Ignored-Fields',
  Challenge: 'WWW-Authenticate',
  Allow: 'Allow',
} as const;

export type ExtraHeader = keyof typeof OTHERS;

export function responseHeaders(
  ...extra: readonly ExtraHeader[]
): Readonly<Record<string, OpenApiReference>> {
  return {
    ...Object.fromEntries(ALWAYS.map((name) => [name, refTo(name)])),
    ...Object.fromEntries(extra.map((key) => [OTHERS[key], refTo(key)])),
  };
}

/** Contract: 8.6. */
export function componentHeaders(limits: RateLimits): Readonly<Record<string, OpenApiHeader>> {
  const seconds = { type: 'integer', minimum: 1 };
  const headers: Readonly<Record<(typeof ALWAYS)[number] | ExtraHeader, OpenApiHeader>> = {
    'X-Request-Id': always(
      'Identifies this request. Quote it when you contact support.',
      { type: 'string', maxLength: 200 },
      'b2JqZWN0',
    ),
    'X-RateLimit-Limit': always('The most requests in the current window.', count(1), limits.list_jobs),
    'X-RateLimit-Remaining': always('The remaining requests in the window.', count(0), limits.list_jobs - 1),
    'X-RateLimit-Reset': always('When the window ends, in Unix seconds.', count(0), 1_795_256_160),
    'Cache-Control': always('Responses must not be cached.', oneOf('no-store'), 'no-store'),
    'X-Content-Type-Options': always(
      'Clients must not guess another content type.',
      oneOf('nosniff'),
      'nosniff',
    ),
    RetryAfter: always('Seconds to wait before the next request.', seconds, 17),
    SometimesRetryAfter: sometimes(
      'Only with `IDEMPOTENCY_KEY_IN_PROGRESS`: seconds to wait before the next request.',
      seconds,
      1,
    ),
    UpdatedThrough: always(
      'After this page, you have received every change up to this instant. Store it when you have stored the page, and pass the last stored value as the next `updated_since`.',
      { type: 'string', format: 'date-time' },
      '2026-11-21T10:15:30.123Z',
    ),
    IdempotentReplayed: sometimes(
      'Present if an earlier request already submitted the application. This response repeats the first one.',
      oneOf('true'),
      'true',
    ),
    IgnoredFields: sometimes(
      'Only in the sandbox, on each response after the body was read, except 5xx: at most ten unknown fields of the body that are one or two edits away from a known one, as paths, percent-encoded and separated by commas. The service ignored them.',
      { type: 'string' },
      'resume_url, candidate.first_name',
    ),
    Challenge: always('How to authenticate.', oneOf('Bearer'), 'Bearer'),
    Allow: always('The methods that the path supports.', { type: 'string' }, 'GET, HEAD'),
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
