import { API_VERSION } from '../domain/event.js';
import { BOOTSTRAP_FACTOR, RATE_LIMITS, type RateLimits } from '../domain/rate-limit.js';
import { SIGNATURE_TOLERANCE_SECONDS } from '../domain/signature.js';
import { DEFAULT_BASE_PATH, readBasePath } from '../http/base-path.js';
import { DEFAULT_MAX_BODY_BYTES } from '../http/handler.js';
import { componentHeaders } from './headers.js';
import { paths, webhooks } from './paths.js';
import { componentResponses, responses } from './responses.js';
import { componentSchemas } from './schemas.js';
import type { OpenApiDocument } from './types.js';

/** What a host chose otherwise than the specification: the same options as those of `createPartnerHiring`. */
export interface OpenApiOptions {
  /** Where the API is reached, e.g. `https://hiring.example.com`; without it, where the document came from. */
  readonly origin?: string;
  /** `/api/v1/external` by default. */
  readonly basePath?: string;
  /** Requests per minute by bucket, where they differ from the specification's. */
  readonly limits?: Partial<RateLimits>;
  /** The largest request body in bytes; 256 KiB by default. */
  readonly maxBodyBytes?: number;
}

/**
 * The API as an OpenAPI 3.0 document, made from the schemas that requests are checked with and replies are
 * composed as. The same options give the same document. Spec: Versioning.
 *
 * @throws OperatorError `MISCONFIGURED` if `basePath` does not fit.
 */
export function createOpenApiDocument(options: OpenApiOptions = {}): OpenApiDocument {
  const { origin = '', maxBodyBytes } = options;
  const basePath = readBasePath(options.basePath ?? DEFAULT_BASE_PATH);
  const limits = { ...RATE_LIMITS, ...options.limits };
  return {
    openapi: '3.0.3',
    info: {
      title: 'Partner Hiring API',
      version: API_VERSION,
      description: overview({ limits, maxBodyBytes }),
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: `${origin}${basePath}` || '/', description: 'The service.' }],
    tags: [
      { name: 'Jobs', description: 'Open jobs of the companies that have let you in.' },
      { name: 'Applications', description: 'Candidates that you submitted, and how they fare.' },
      { name: 'Webhooks', description: 'What the service sends to your endpoint.' },
    ],
    security: [{ apiKey: [] }],
    paths: paths(limits),
    'x-webhooks': webhooks(),
    'x-unmatched-requests': {
      description: 'Any other path under the base path, or another method: these, once the key is known.',
      responses: responses({}, ['NOT_FOUND', 'METHOD_NOT_ALLOWED']),
    },
    components: {
      schemas: componentSchemas(),
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
}

/** What the overview tells of a host's own choices. */
interface OverviewFacts {
  readonly limits: RateLimits;
  readonly maxBodyBytes: number | undefined;
}

/** What holds for all operations, in Markdown. */
export function overview({ limits, maxBodyBytes = DEFAULT_MAX_BODY_BYTES }: OverviewFacts): string {
  return `For applicant-tracking systems: list open jobs, submit candidates, read how they fare, and receive signed webhooks.

# Requests

Every request carries \`Authorization: Bearer <API_KEY>\`. A missing or invalid key is 401, before everything else. Bodies are \`application/json\` in UTF-8, without a content encoding, ${maxBodyBytes} bytes at most. Unknown fields and query parameters are ignored. Paths are case-sensitive and have no slash at their end; \`HEAD\` is \`GET\` without the body.

v1 only grows: be ready for new fields, headers, event types and values of an enum.

# Idempotency

\`POST /applications\` needs an \`Idempotency-Key\`, a UUID v4. Make it when you create the submission and keep it for all retries.

- The same key and the same bytes: the first 201 again, with \`Idempotent-Replayed: true\`.
- The same key and other bytes, even of the same JSON: 422 \`IDEMPOTENCY_KEY_REUSED\`.
- Only a 201 binds a key, for 24 hours. After any other answer it is still free.

# Lists

Rows come in the order in which they last changed. Follow \`next_cursor\` until there is none, and insert or update by \`id\`. To stay up to date, pass the \`X-Updated-Through\` of the last page as the next \`updated_since\`: you miss nothing, stage moves included.

# Limits

| Operation | Per minute | Counted per |
| --- | --- | --- |
| \`POST /applications\` | ${limits.submit_application}, or ${limits.submit_application * BOOTSTRAP_FACTOR} in bootstrap mode | key and company |
| \`GET /applications/{id}\` | ${limits.read_application} | key |
| \`GET /applications\` | ${limits.list_applications} | key |
| \`GET /jobs\` | ${limits.list_jobs} | key |
| requests refused before they reach a limit of their own, replays, and each 429 after the first in a minute | ${limits.guard} | key |
| requests without a valid key | ${limits.failed_authentication} | client address |

Every response of the service has \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`. On 429, wait for \`Retry-After\` seconds; \`scope\` says what is throttled.

# Errors

Every error of the service is \`{ "error", "message", "details"? }\`. Branch on \`error\`; log \`message\` and the \`X-Request-Id\` of the response. After 500, 503, 429 and \`IDEMPOTENCY_KEY_IN_PROGRESS\`, send the same request again; so too after a 408 or 5xx of a proxy in between, and where no answer came. Any other path is 404 \`NOT_FOUND\`, any other method 405 \`METHOD_NOT_ALLOWED\`.

# Signatures

Deliveries are signed with your signing secret, \`whsec_…\`.

1. Take \`t\` and each \`v1\` from \`X-Partner-Signature\`.
2. Compute HMAC-SHA256 over \`<t>.<raw body>\`, the bytes as they came, with the whole secret as the key; in lowercase hex.
3. Compare with each \`v1\` in constant time. One that matches is enough.
4. Refuse what is more than ${SIGNATURE_TOLERANCE_SECONDS} seconds from your clock, either way.
`;
}
