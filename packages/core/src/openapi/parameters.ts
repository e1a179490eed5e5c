import { APPLICATION_STATUSES } from '../domain/application.js';
import type { EventType } from '../domain/event.js';
import { type ListName, PAGE_LIMIT } from '../domain/page.js';
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from '../domain/signature.js';
import { CURSOR, delivery, SIGNING_SECRET } from './samples.js';
import type { OpenApiParameter } from './types.js';

/** A UUID v4 in any letter case. Spec: `POST /applications`, required header. */
export const IDEMPOTENCY_KEY: OpenApiParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'A UUID v4 of your own, new for each submission and kept for its retries. Only a 201 binds it, for 24 hours.',
  schema: {
    type: 'string',
    format: 'uuid',
    pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$',
  },
  example: '9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a10',
};

/** The application that is read. */
export const APPLICATION_ID: OpenApiParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The `id` of an application of yours.',
  schema: { type: 'string' },
  example: 'ej_app_01k2f9',
};

/** The filters and the place in a list. Spec: `GET /jobs`, `GET /applications`, query parameters. */
export function listParameters(list: ListName): readonly OpenApiParameter[] {
  const statuses = list === 'jobs' ? ['open'] : APPLICATION_STATUSES;
  return [
    query(
      'updated_since',
      'Only what changed strictly after this instant, to the millisecond. With `Z` or an offset; write `+` as `%2B`.',
      { type: 'string', format: 'date-time' },
      '2026-11-21T10:15:30.123Z',
    ),
    query(
      'cursor',
      'The `next_cursor` of the page before. It belongs to your key, this list and the filters, and does not expire.',
      { type: 'string' },
      CURSOR,
    ),
    query(
      'limit',
      `Rows of a page. More than ${PAGE_LIMIT.max} is read as ${PAGE_LIMIT.max}.`,
      {
        type: 'integer',
        minimum: PAGE_LIMIT.min,
        maximum: PAGE_LIMIT.max,
        default: PAGE_LIMIT.default,
      },
      PAGE_LIMIT.max,
    ),
    query(
      'company_id',
      'Only this company. One without access gives an empty list.',
      { type: 'string' },
      'co_bistro',
    ),
    query('status', 'Only this status.', { type: 'string', enum: statuses }, statuses[0]),
  ];
}

/** What proves that a delivery is ours. Spec: Events, request headers on each delivery. */
export function deliveryHeaders(type: EventType): readonly OpenApiParameter[] {
  const { headers } = delivery(type);
  return [
    {
      name: SIGNATURE_HEADER,
      in: 'header',
      required: true,
      description: `When it was signed, in Unix seconds, and the HMAC-SHA256 of \`<t>.<raw body>\` in lowercase hex. One \`v1\` for each signing secret that is valid, the newest first: several while one replaces another. One that matches is enough. The example is signed with \`${SIGNING_SECRET}\`.`,
      schema: { type: 'string', pattern: '^t=\\d+(?:,v1=[0-9a-f]{64})+$' },
      example: headers[SIGNATURE_HEADER],
    },
    {
      name: TIMESTAMP_HEADER,
      in: 'header',
      required: true,
      description: 'The same `t`.',
      schema: { type: 'integer', minimum: 0 },
      example: Number(headers[TIMESTAMP_HEADER]),
    },
  ];
}

function query(
  name: string,
  description: string,
  schema: OpenApiParameter['schema'],
  example: unknown,
): OpenApiParameter {
  return { name, in: 'query', required: false, description, schema, example };
}
