import { API_VERSION } from '../domain/event.js';
import { RATE_LIMITS, type RateLimits } from '../domain/rate-limit.js';
import { DEFAULT_BASE_PATH, readBasePath } from '../http/target.js';
import { componentHeaders } from './headers.js';
import { overview } from './overview.js';
import { paths } from './paths.js';
import { componentResponses, responses } from './responses.js';
import { componentSchemas } from './schemas.js';
import type { OpenApiDocument } from './types.js';
import { webhooks } from './webhooks.js';

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
