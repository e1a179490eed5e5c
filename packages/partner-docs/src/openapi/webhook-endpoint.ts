import type { EndpointRights, Optional, RateLimits } from '@partner-hiring/core';
import {
  OWN_SAMPLES,
  ownWireSchemas,
  PAGE_LIMIT,
  type WireErrorCode,
  type WireOwn,
  wireSchemaRef,
} from '@partner-hiring/core/contract';
import { responseHeaders } from './headers.js';
import { OPTIONAL_QUERY } from './parameters.js';
import { content, responses } from './responses.js';
import type {
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiPath,
  OpenApiResponses,
} from './types.js';

interface SelfServiceOperation extends Pick<OpenApiOperation, 'operationId' | 'summary' | 'description'> {
  readonly right: keyof EndpointRights;
  readonly path: string;
  readonly method: 'get' | 'put' | 'post';
  readonly parameters?: readonly OpenApiParameter[];
  /** The fields of the body. Omitted if the operation has none. */
  readonly body?: {
    readonly properties: Readonly<Record<string, object>>;
    readonly required?: readonly string[];
  };
  /** Default: 200. */
  readonly status?: 200 | 201 | 202;
  readonly schema: WireOwn;
}

const TAG = { name: 'Webhook endpoint', description: 'Your own endpoint, and the deliveries to it.' };

/** Adds the paths of `/webhook-endpoint` that the host has turned on. */
export function withOwnEndpoint(
  document: OpenApiDocument,
  rights: Optional<EndpointRights>,
  { limits, maxBodyBytes }: { readonly limits: RateLimits; readonly maxBodyBytes: number },
): OpenApiDocument {
  const own: Record<string, OpenApiPath> = {};
  for (const operation of OPERATIONS) {
    const { right, path, method } = operation;
    if (rights[right] === true) own[path] = { ...own[path], [method]: toOperation(operation, limits) };
  }
  if (Object.keys(own).length === 0) return document;
  const { tags, paths, components } = document;
  const schemas = { ...components.schemas, ...ownWireSchemas(maxBodyBytes) };
  return {
    ...document,
    tags: [...tags, TAG],
    paths: { ...paths, ...own },
    components: { ...components, schemas },
  };
}

function toOperation(
  {
    method,
    operationId,
    summary,
    description,
    parameters = [],
    body,
    status = 200,
    schema,
  }: SelfServiceOperation,
  limits: RateLimits,
): OpenApiOperation {
  const limited = `All requests to \`/webhook-endpoint\` share a limit of ${limits.webhook_endpoint} a minute.`;
  const base = {
    operationId,
    summary,
    description: `${description}\n\n${limited}`,
    tags: ['Webhook endpoint'],
    parameters,
  };
  const errors: readonly WireErrorCode[] =
    method === 'get'
      ? ['VALIDATION_ERROR']
      : ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'VALIDATION_ERROR'];
  const examples = {
    VALIDATION_ERROR: { VALIDATION_ERROR: { summary: 'Refused', value: OWN_SAMPLES.refused } },
  };
  const answered = responses(success(status, schema), errors, examples);
  if (body === undefined) return { ...base, responses: answered };
  const example = { body: { summary: 'With all fields', value: exampleOf(body.properties) } };
  const requestBody = { required: true, content: content({ type: 'object', ...body }, example) } as const;
  return { ...base, requestBody, responses: answered };
}

function success(status: 200 | 201 | 202, schema: WireOwn): OpenApiResponses {
  const response = {
    description: 'Done.',
    headers: responseHeaders(),
    content: content(wireSchemaRef(schema), { done: { summary: 'Done', value: OWN_SAMPLES[schema] } }),
  };
  return status === 201
    ? { '200': response, '201': { ...response, description: 'Created.' } }
    : { [status]: response };
}

function exampleOf(properties: Readonly<Record<string, object>>): object {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, (schema as { example?: unknown }).example]),
  );
}

const EVENT_ID: OpenApiParameter = {
  name: 'eventId',
  in: 'path',
  required: true,
  description: 'The `id` of one of your events.',
  schema: { type: 'string' },
  example: 'evt_01k2f9',
};

const DELIVERY_QUERY: readonly OpenApiParameter[] = [
  {
    name: 'state',
    ...OPTIONAL_QUERY,
    description: 'Returns only deliveries in this state.',
    schema: { type: 'string', enum: ['pending', 'delivered', 'dead', 'cancelled'] },
    example: 'dead',
  },
  {
    name: 'limit',
    ...OPTIONAL_QUERY,
    description: `The most rows that a page may have. Larger values are treated as ${PAGE_LIMIT.max}.`,
    schema: { type: 'integer', minimum: PAGE_LIMIT.min, default: PAGE_LIMIT.default },
    example: PAGE_LIMIT.max,
  },
  {
    name: 'cursor',
    ...OPTIONAL_QUERY,
    description: 'The `next_cursor` of the previous page, with the same `state`.',
    schema: { type: 'string' },
  },
];

/** What partners may do with `/webhook-endpoint`. */
export const OPERATIONS: readonly SelfServiceOperation[] = [
  {
    right: 'endpoint',
    path: '/webhook-endpoint',
    method: 'get',
    operationId: 'readWebhookEndpoint',
    summary: 'Show your webhook endpoint',
    description: 'Shows the URL, whether it is paused and why, and why the last attempt failed.',
    schema: 'WebhookEndpoint',
  },
  {
    right: 'url',
    path: '/webhook-endpoint',
    method: 'put',
    operationId: 'setWebhookEndpoint',
    summary: 'Set the URL of your webhook endpoint',
    description:
      'Sends a signed test event to a new URL, and sets the URL if it answers 2xx. This may take 30 seconds. The ids of the test event have ten zeros, as in `evt_0000000000`. The first URL of a key creates the endpoint, and the response is 201 with its signing secret. Your receiver does not have the secret yet, so it answers 2xx to test events that it cannot verify, and ignores them. Everything that waits goes to the new URL.',
    body: {
      properties: {
        url: {
          type: 'string',
          maxLength: 2048,
          description: 'With https.',
          example: 'https://ats.example/webhooks',
        },
      },
      required: ['url'],
    },
    status: 201,
    schema: 'ChangedWebhookEndpoint',
  },
  {
    right: 'test',
    path: '/webhook-endpoint/test',
    method: 'post',
    operationId: 'testWebhookEndpoint',
    summary: 'Send a test event',
    description:
      'Sends a signed event with ids of ten zeros, as in `evt_0000000000`, even to a paused endpoint. It is sent once, and nothing is recorded.',
    schema: 'WebhookTest',
  },
  {
    right: 'pause',
    path: '/webhook-endpoint/pause',
    method: 'post',
    operationId: 'pauseWebhookEndpoint',
    summary: 'Pause sending',
    description: 'Events are still recorded, and are sent after you resume.',
    schema: 'WebhookEndpoint',
  },
  {
    right: 'resume',
    path: '/webhook-endpoint/resume',
    method: 'post',
    operationId: 'resumeWebhookEndpoint',
    summary: 'Resume sending',
    description: 'Sends what waits, oldest first. An endpoint that the operator has paused stays paused.',
    body: {
      properties: {
        retryNow: {
          type: 'boolean',
          default: false,
          description: 'Also sends now what waits for its next attempt.',
          example: true,
        },
      },
    },
    schema: 'WebhookEndpoint',
  },
  {
    right: 'rotateSecret',
    path: '/webhook-endpoint/rotate-secret',
    method: 'post',
    operationId: 'rotateWebhookSecret',
    summary: 'Get a new signing secret',
    description: 'Until the overlap ends, each event is signed with the new and the old secrets.',
    body: {
      properties: {
        overlapSeconds: {
          type: 'integer',
          minimum: 0,
          maximum: 604_800,
          default: 86_400,
          description: 'How long the old secrets sign too.',
          example: 3600,
        },
      },
    },
    schema: 'RotatedWebhookSecret',
  },
  {
    right: 'deliveries',
    path: '/webhook-endpoint/deliveries',
    method: 'get',
    operationId: 'listWebhookDeliveries',
    summary: 'List deliveries',
    description: 'Lists the events for your endpoint, newest first, and whether each was delivered.',
    parameters: DELIVERY_QUERY,
    schema: 'WebhookDeliveryPage',
  },
  {
    right: 'resend',
    path: '/webhook-endpoint/deliveries/{eventId}/resend',
    method: 'post',
    operationId: 'resendWebhookEvent',
    summary: 'Send one event again',
    description: 'Sends the event now, with the same id. `invalid_value`: the operator cancelled it.',
    parameters: [EVENT_ID],
    schema: 'ResentWebhookEvent',
  },
  {
    right: 'resendSince',
    path: '/webhook-endpoint/resend',
    method: 'post',
    operationId: 'resendWebhookEvents',
    summary: 'Send all events since an instant again',
    description:
      'Also delivered events, with the same ids, but not cancelled ones. One operation runs at a time.',
    body: {
      properties: {
        since: {
          type: 'string',
          format: 'date-time',
          description: 'Inclusive.',
          example: '2026-11-21T10:15:30.123Z',
        },
      },
      required: ['since'],
    },
    status: 202,
    schema: 'WebhookResend',
  },
];
