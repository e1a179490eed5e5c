import { EVENT_TYPES, type EventType } from '../domain/event.js';
import { deliveryHeaders } from './parameters.js';
import { content } from './responses.js';
import { delivery } from './samples.js';
import { eventName, schemaRef } from './schemas.js';
import type { OpenApiDocument, OpenApiOperation, OpenApiResponses } from './types.js';

const TEXTS: Readonly<Record<EventType, { readonly summary: string; readonly description: string }>> = {
  'application.status_changed': {
    summary: 'An application was decided',
    description: 'Sent when an application is accepted or rejected, and at no other change.',
  },
  'job.opened': {
    summary: 'A job opened to you',
    description: 'Sent when a job becomes visible to your key: new, granted, or un-archived.',
  },
  'job.closed': {
    summary: 'A job closed to you',
    description: 'Sent when a job stops being visible to your key. `reason` says why.',
  },
};

/** What a partner's endpoint may answer. Spec: Events, delivery, retries, pausing. */
const ANSWERS: OpenApiResponses = {
  '2XX': { description: 'Taken. Answer within 30 seconds, better at once.' },
  '410': { description: 'Gone for good: deliveries pause at once, and an operator is told.' },
  default: {
    description:
      'Not taken, as is no answer and a redirect. Tried again under the same event id, ten attempts in all over four days. Endpoints pause after 50 failures in a row, or 24 hours without success; nothing is lost then.',
  },
};

/** The three events, as requests to a partner's endpoint. Spec: Events, event types. */
export function webhooks(): OpenApiDocument['x-webhooks'] {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: operation(type) }]));
}

function operation(type: EventType): OpenApiOperation {
  const { summary, description } = TEXTS[type];
  const name = eventName(type);
  return {
    operationId: `receive${name}`,
    summary,
    description,
    tags: ['Webhooks'],
    security: [],
    parameters: deliveryHeaders(type),
    requestBody: {
      required: true,
      content: content(schemaRef(name as `${string}Event`), {
        [type]: { summary, value: delivery(type).event },
      }),
    },
    responses: ANSWERS,
  };
}
