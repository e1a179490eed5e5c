import {
  describedMessage,
  errorSchemaName,
  WIRE_ERRORS,
  WIRE_SAMPLES,
  type WireErrorCode,
  wireSchemaRef,
} from '@partner-hiring/core/contract';
import { type ExtraHeader, responseHeaders } from './headers.js';
import type {
  OpenApiContent,
  OpenApiExample,
  OpenApiReference,
  OpenApiResponse,
  OpenApiResponses,
  OpenApiSchema,
} from './types.js';

export type Examples = Readonly<Record<string, OpenApiExample>>;

const SHARED = {
  Unauthorized: 'UNAUTHORIZED',
  RateLimited: 'RATE_LIMITED',
  InternalError: 'INTERNAL_ERROR',
  ServiceUnavailable: 'SERVICE_UNAVAILABLE',
} as const satisfies Record<string, WireErrorCode>;

const HEADERS: Partial<Record<WireErrorCode, ExtraHeader>> = {
  UNAUTHORIZED: 'Challenge',
  METHOD_NOT_ALLOWED: 'Allow',
  RATE_LIMITED: 'RetryAfter',
  SERVICE_UNAVAILABLE: 'RetryAfter',
  IDEMPOTENCY_KEY_IN_PROGRESS: 'SometimesRetryAfter',
};

export function content(schema: OpenApiSchema | OpenApiReference, examples: Examples): OpenApiContent {
  return { 'application/json': { schema: { ...schema }, examples } };
}

export function componentResponses(): Readonly<Record<string, OpenApiResponse>> {
  return Object.fromEntries(Object.entries(SHARED).map(([name, code]) => [name, errorResponse([code])]));
}

export function responses(
  success: OpenApiResponses,
  own: readonly WireErrorCode[],
  examples: Partial<Record<WireErrorCode, Examples>> = {},
  extra: readonly ExtraHeader[] = [],
): OpenApiResponses {
  const byStatus = new Map<string, WireErrorCode[]>();
  for (const code of own) {
    const status = String(WIRE_ERRORS[code].status);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const errors = [...byStatus].map(
    ([status, codes]) => [status, errorResponse(codes, examples, extra)] as const,
  );
  const shared = Object.entries(SHARED)
    .filter(([, code]) => !own.includes(code))
    .map(([name, code]) => [WIRE_ERRORS[code].status, { $ref: `#/components/responses/${name}` }] as const);
  // The statuses need no sorting, because JavaScript orders integer-like keys by value.
  return { ...success, ...Object.fromEntries([...errors, ...shared]) };
}

export const SUBMISSION_EXAMPLES: Partial<Record<WireErrorCode, Examples>> = {
  RATE_LIMITED: {
    partner_company: {
      summary: 'Only submissions to that company are limited',
      value: WIRE_SAMPLES.companyLimited,
    },
    partner: { summary: 'All requests of the key are limited', value: WIRE_SAMPLES.error('RATE_LIMITED') },
  },
  VALIDATION_ERROR: {
    VALIDATION_ERROR: { summary: 'Invalid fields', value: WIRE_SAMPLES.error('VALIDATION_ERROR') },
    invalid_json: { summary: 'The body is not JSON', value: WIRE_SAMPLES.noJson },
  },
};

function errorResponse(
  codes: readonly WireErrorCode[],
  examples: Partial<Record<WireErrorCode, Examples>> = {},
  extra: readonly ExtraHeader[] = [],
): OpenApiResponse {
  const headers = codes.flatMap((code) => HEADERS[code] ?? []);
  const shown = codes.map((code) => examples[code] ?? exampleOf(code));
  return {
    description: codes.map((code) => `\`${code}\`: ${describedMessage(code)}`).join('\n\n'),
    headers: responseHeaders(...headers, ...extra),
    content: content(schemaOf(codes), Object.assign({}, ...shown)),
  };
}

function exampleOf(code: WireErrorCode): Examples {
  return { [code]: { summary: WIRE_ERRORS[code].message, value: WIRE_SAMPLES.error(code) } };
}

function schemaOf(codes: readonly WireErrorCode[]): OpenApiSchema {
  const refs = codes.map((code) => wireSchemaRef(errorSchemaName(code) as `${string}Error`));
  const [first] = refs;
  if (refs.length === 1 && first !== undefined) return { ...first };
  const mapping = Object.fromEntries(codes.map((code, index) => [code, refs[index]?.$ref]));
  return { oneOf: refs, discriminator: { propertyName: 'error', mapping } };
}
