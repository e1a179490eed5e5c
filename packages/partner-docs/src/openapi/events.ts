import type { RateLimits } from '@partner-hiring/core';
import { EVENT_TYPES, eventSchemaName, WIRE_SAMPLES, wireSchemaRef } from '@partner-hiring/core/contract';
import { responseHeaders } from './headers.js';
import { listParameters, OPTIONAL_QUERY } from './parameters.js';
import { content, type Examples, responses } from './responses.js';
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter, OpenApiSchema } from './types.js';

const TAG = {
  name: 'Events',
  description: 'The log of your events, with or without a webhook endpoint.',
} as const;

/** Adds `GET /events` to the document. */
export function withEvents(document: OpenApiDocument, limits: RateLimits): OpenApiDocument {
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
    responses: responses(
      {
        '200': {
          description: 'A page of the log.',
          headers: responseHeaders('UpdatedThrough'),
          content: content({ $ref: '#/components/schemas/EventPage' }, examples),
        },
      },
      ['VALIDATION_ERROR'],
      {
        VALIDATION_ERROR: {
          VALIDATION_ERROR: { summary: 'An invalid parameter', value: WIRE_SAMPLES.badQuery },
        },
      },
    ),
  };
}
