import { APPLICATION_STATUSES, type EventType } from '@partner-hiring/core';
import { PAGE_LIMIT, SIGNATURE_HEADER, TIMESTAMP_HEADER, WIRE_SAMPLES } from '@partner-hiring/core/contract';
import type { OpenApiParameter } from './types.js';

const UUID_V4 = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}';

/**
 * Not the format `date-time`, which forbids the offsets `+0530` and `+05`, a raw `+` that arrives as a space, and what Java
 * writes.
 */
const DATE_TIME =
  '^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?(?:[Zz]|[+ -](?:[01]\\d|2[0-3])(?::?[0-5]\\d)?)(?:\\[[^\\[\\]]+\\])*$';

/** Contract: 7.1, 7.2. */
export const IDEMPOTENCY_KEY: OpenApiParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'A UUID v4. Create a new one for each submission and send it again with each retry. Only a 201 response binds the key, for 24 hours. One pair of double quotes around the UUID is accepted and does not belong to the key.',
  schema: { type: 'string', pattern: `^(?:${UUID_V4}|"${UUID_V4}")$` },
  example: '9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a10',
};

export const APPLICATION_ID: OpenApiParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The `id` of one of your applications.',
  schema: { type: 'string' },
  example: 'ej_app_01k2f9',
};

/** Contract: 5.4 to 5.9. */
export function listParameters(list: 'jobs' | 'applications'): readonly OpenApiParameter[] {
  const statuses = list === 'jobs' ? ['open'] : APPLICATION_STATUSES;
  return [
    query(
      'updated_since',
      'Returns only rows that changed after this instant, an ISO 8601 date-time, to the millisecond. Use `Z` or an offset, with or without its colon, and encode `+` as `%2B`.',
      { type: 'string', pattern: DATE_TIME },
      '2026-11-21T10:15:30.123Z',
    ),
    query(
      'cursor',
      'The `next_cursor` of the previous page. It is valid for your key, this list and the same filters, and does not expire.',
      { type: 'string' },
      WIRE_SAMPLES.cursor,
    ),
    query(
      'limit',
      `The most rows that a page may have. Larger values are treated as ${PAGE_LIMIT.max}.`,
      {
        type: 'integer',
        minimum: PAGE_LIMIT.min,
        default: PAGE_LIMIT.default,
      },
      PAGE_LIMIT.max,
    ),
    query(
      'company_id',
      'Returns only rows of this company. The list is empty if your key has no access to the company.',
      { type: 'string' },
      'co_bistro',
    ),
    query('status', 'Returns only rows with this status.', { type: 'string', enum: statuses }, statuses[0]),
  ];
}

/** Contract: 11.1, 11.2. */
export function deliveryHeaders(type: EventType): readonly OpenApiParameter[] {
  const { headers } = WIRE_SAMPLES.delivery(type);
  return [
    {
      name: SIGNATURE_HEADER,
      in: 'header',
      required: true,
      description: `\`t\` is the time of signing in Unix seconds. Each \`v1\` is the HMAC-SHA256 of \`<t>.<raw body>\` in lowercase hex, one per valid signing secret, newest first. During a rotation there are several, and one match is enough. The example is signed with \`${WIRE_SAMPLES.signingSecret}\`.`,
      schema: { type: 'string', pattern: '^t=\\d+(?:,v1=[0-9a-f]{64})+$' },
      example: headers[SIGNATURE_HEADER],
    },
    {
      name: TIMESTAMP_HEADER,
      in: 'header',
      required: true,
      description: 'The same timestamp as `t` in the signature.',
      schema: { type: 'integer', minimum: 0 },
      example: Number(headers[TIMESTAMP_HEADER]),
    },
  ];
}

/** A parameter without a value counts as absent. */
export const OPTIONAL_QUERY = { in: 'query', required: false, allowEmptyValue: true } as const;

function query(
  name: string,
  description: string,
  schema: OpenApiParameter['schema'],
  example: unknown,
): OpenApiParameter {
  return { ...OPTIONAL_QUERY, name, description, schema, example };
}
