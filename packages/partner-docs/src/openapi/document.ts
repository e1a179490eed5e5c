import {
  type Optional,
  RATE_LIMITS,
  type RateLimits,
  type SelfServiceOptions,
  type Support,
} from '@partner-hiring/core';
import {
  API_VERSION,
  BOOTSTRAP_FACTOR,
  DEFAULT_BASE_PATH,
  DEFAULT_MAX_BODY_BYTES,
  EVENT_TYPES,
  eventSchemaName,
  offersEndpoint,
  readBasePath,
  readOrigin,
  readSupport,
  SIGNATURE_TOLERANCE_SECONDS,
  WIRE_SAMPLES,
  wireSchemaRef,
  wireSchemas,
  withDefaults,
} from '@partner-hiring/core/contract';
import { readDocsUrl } from '../sandbox/guide-options.js';
import { componentHeaders } from './headers.js';
import { listParameters, OPTIONAL_QUERY } from './parameters.js';
import { pageResponses, paths, webhooks } from './paths.js';
import { componentResponses, type Examples, responses } from './responses.js';
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter, OpenApiSchema } from './types.js';
import { withOwnEndpoint } from './webhook-endpoint.js';

/** The options of `createPartnerHiring` that appear in the document. */
export interface OpenApiOptions {
  /**
   * The public URL of the server without the base path, for example `https://hiring.example.com`. Default: the server that
   * serves the document, as a URL without an origin.
   */
  readonly origin?: string | undefined;
  /** Default: `/api/v1/external`. */
  readonly basePath?: string | undefined;
  /** Requests per minute, by bucket. Default: the limits of the contract. */
  readonly limits?: Optional<RateLimits> | undefined;
  /** The largest request body, in bytes. Default: 256 KiB. */
  readonly maxBodyBytes?: number | undefined;
  /** What partners may do besides the four routes. By default, the document shows nothing of it. */
  readonly selfService?: Optional<SelfServiceOptions> | undefined;
  /** The URL of the documentation. Default: the document does not name it. */
  readonly docsUrl?: string | undefined;
  /** How partners reach you. Default: the document does not say it. */
  readonly support?: Support | undefined;
}

/**
 * Creates the OpenAPI 3.0 document of the API. Equal options give an equal document. Contract: 13.
 * @throws OperatorError `MISCONFIGURED` if `origin` or `basePath` is invalid.
 * @example
 * const document = createOpenApiDocument({ origin: 'https://hiring.example.com' });
 * await writeFile('openapi.json', JSON.stringify(document, null, 2));
 */
export function createOpenApiDocument(options: OpenApiOptions = {}): OpenApiDocument {
  const { maxBodyBytes = DEFAULT_MAX_BODY_BYTES, docsUrl } = options;
  const { email, url } = readSupport('createOpenApiDocument', options.support);
  const origin = options.origin === undefined ? '' : readOrigin(options.origin);
  const basePath = readBasePath(options.basePath ?? DEFAULT_BASE_PATH);
  const limits = withDefaults(RATE_LIMITS, options.limits);
  const rights = options.selfService ?? {};
  const document: OpenApiDocument = {
    openapi: '3.0.3',
    info: {
      title: 'Partner Hiring API',
      version: API_VERSION,
      description: overview({ limits, maxBodyBytes, selfService: rights }),
      // JSON leaves out what is undefined.
      contact: email === undefined && url === undefined ? undefined : { name: 'Support', email, url },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    externalDocs:
      docsUrl === undefined
        ? undefined
        : { description: 'Guides, the sandbox and answers.', url: readDocsUrl(docsUrl) },
    servers: [{ url: `${origin}${basePath}` || '/', description: 'The service.' }],
    tags: [
      { name: 'Jobs', description: 'Open jobs of companies that gave you access.' },
      {
        name: 'Applications',
        description: 'Candidates that you submitted, and the state of their applications.',
      },
      { name: 'Webhooks', description: 'Events that the service sends to your endpoint.' },
    ],
    security: [{ apiKey: [] }],
    paths: paths(limits),
    'x-webhooks': webhooks(),
    'x-unmatched-requests': {
      description:
        'Responses to authenticated requests whose path is unknown under the base path, or whose method is not supported.',
      responses: responses({}, ['NOT_FOUND', 'METHOD_NOT_ALLOWED']),
    },
    components: {
      schemas: wireSchemas(maxBodyBytes),
      responses: componentResponses(),
      headers: componentHeaders(limits),
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            '`Authorization: Bearer <API_KEY>`. Production keys begin with `pek_live_`, sandbox keys with `pek_test_`.',
        },
      },
    },
  };
  const withLog = rights.events === true ? withEvents(document, limits) : document;
  return withOwnEndpoint(withLog, rights, { limits, maxBodyBytes });
}

interface OverviewFacts {
  readonly limits: RateLimits;
  readonly maxBodyBytes: number;
  readonly selfService: Optional<SelfServiceOptions>;
}

function routeLimits({ limits, selfService }: OverviewFacts): string {
  const events = `| \`GET /events\` | ${limits.list_events} | key |\n`;
  const endpoint = `| all of \`/webhook-endpoint\` | ${limits.webhook_endpoint} | key |\n`;
  return `${selfService.events === true ? events : ''}${offersEndpoint(selfService) ? endpoint : ''}`;
}

function overview(facts: OverviewFacts): string {
  const { limits, maxBodyBytes } = facts;
  return `For applicant-tracking systems: list open jobs, submit candidates, follow their applications, and receive signed webhooks.

# Requests

Every request carries \`Authorization: Bearer <API_KEY>\`. A missing or invalid key returns 401 before any other check. Bodies are \`application/json\` in UTF-8, without a content encoding, and at most ${maxBodyBytes} bytes. The service ignores unknown fields and query parameters. Of two equal JSON names, the last one counts. Paths are case-sensitive and do not end with a slash. \`HEAD\` works like \`GET\` without the body.

Version 1 only grows. Expect new fields, headers, event types and enum values.

# Idempotency

\`POST /applications\` requires an \`Idempotency-Key\`: a UUID v4. Create it with the submission and send it with every retry.

- The same key with the same bytes returns the first 201 again, with \`Idempotent-Replayed: true\`.
- The same key with different bytes, even of the same JSON, returns 422 \`IDEMPOTENCY_KEY_REUSED\`.
- Only a 201 binds the key, for 24 hours. After any other response you can use the key again.

# Lists

Rows are ordered by their last change. Follow \`next_cursor\` until it is absent, and insert or update by \`id\`. To stay up to date, store the \`X-Updated-Through\` of each page when you have stored its rows, and pass the last stored value as the next \`updated_since\`. You then receive every change, including stage moves.

# Limits

| Operation | Per minute | Counted per |
| --- | --- | --- |
| \`POST /applications\` | ${limits.submit_application}, or ${limits.submit_application * BOOTSTRAP_FACTOR} in bootstrap mode | key and company |
| \`GET /applications/{id}\` | ${limits.read_application} | key |
| \`GET /applications\` | ${limits.list_applications} | key |
| \`GET /jobs\` | ${limits.list_jobs} | key |
${routeLimits(facts)}| requests rejected before they reach their own limit, replays, and each 429 after the first in a minute | ${limits.guard} | key |
| requests without a valid key | ${limits.failed_authentication} | client address |

Every response of the service has \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`. After a 429, wait for \`Retry-After\` seconds. \`scope\` says which requests are limited. The operator can lower limits of a key for a time: the headers have the limit that applies.

# Errors

Every error of the service is \`{ "error", "message", "details"? }\`. Branch on \`error\`. Log \`message\` and the \`X-Request-Id\` of the response. Send the same request again after 500, 503, 429 or \`IDEMPOTENCY_KEY_IN_PROGRESS\`, after a 408 or 5xx of a proxy, and if no response arrived. An unknown path returns 404 \`NOT_FOUND\`; a method that the path does not support returns 405 \`METHOD_NOT_ALLOWED\`.

# Signatures

The service signs deliveries with your signing secret, \`whsec_…\`. To verify a delivery:

1. Read \`t\` and every \`v1\` from \`X-Partner-Signature\`.
2. Compute the HMAC-SHA256 of \`<t>.<raw body>\` in lowercase hex. Use the received bytes, and the whole secret as the key.
3. Compare it with each \`v1\` in constant time. One match is enough.
4. Reject a \`t\` that is more than ${SIGNATURE_TOLERANCE_SECONDS} seconds before or after your clock.
`;
}

const TAG = {
  name: 'Events',
  description: 'The log of your events, with or without a webhook endpoint.',
} as const;

/** Adds `GET /events` to the document. */
function withEvents(document: OpenApiDocument, limits: RateLimits): OpenApiDocument {
  const { tags, paths, components } = document;
  const { schemas } = components;
  return {
    ...document,
    tags: [...tags, TAG],
    paths: { ...paths, '/events': { get: listEvents(limits) } },
    components: { ...components, schemas: { ...schemas, EventPage: eventPageSchema(schemas.JobPage) } },
  };
}

function eventPageSchema(jobPage: OpenApiSchema | undefined): OpenApiSchema {
  const { next_cursor: nextCursor } = (jobPage?.properties ?? {}) as Readonly<Record<string, unknown>>;
  const refs = EVENT_TYPES.map((type) => wireSchemaRef(eventSchemaName(type) as `${string}Event`));
  const mapping = Object.fromEntries(EVENT_TYPES.map((type, index) => [type, refs[index]?.$ref]));
  const items = { oneOf: refs, discriminator: { propertyName: 'type', mapping } };
  return {
    type: 'object',
    properties: { data: { type: 'array', items }, next_cursor: nextCursor },
    required: ['data'],
  };
}

const SHARED_PARAMETERS: readonly string[] = ['updated_since', 'cursor', 'limit'];

const TYPE: OpenApiParameter = {
  ...OPTIONAL_QUERY,
  name: 'type',
  description:
    'Returns only events of this type. Such a page may be short, or even empty, although others follow.',
  schema: { type: 'string', enum: EVENT_TYPES },
  example: 'job.closed',
};

function listEvents(limits: RateLimits): OpenApiOperation {
  const data = EVENT_TYPES.map((type) => WIRE_SAMPLES.delivery(type).event);
  const examples: Examples = {
    more: { summary: 'A page with a next page', value: { data, next_cursor: WIRE_SAMPLES.cursor } },
    none: { summary: 'No new events', value: { data: [] } },
  };
  return {
    operationId: 'listEvents',
    summary: 'List your events',
    description: `Lists the events of your key, oldest first, each as a webhook would send it. An event is never skipped, and may come again. Process each \`id\` once. The service keeps events for a limited time. If some after your position may be missing, it returns 422 with \`invalid_cursor\`. Then read \`GET /jobs\` and \`GET /applications\` in full, and start again without a cursor.\n\nThe limit is ${limits.list_events} requests a minute.`,
    tags: [TAG.name],
    parameters: [...listParameters('jobs').filter(({ name }) => SHARED_PARAMETERS.includes(name)), TYPE],
    responses: pageResponses('log', { $ref: '#/components/schemas/EventPage' }, examples),
  };
}
