import type { EventType, RateLimits } from '@partner-hiring/core';
import {
  BOOTSTRAP_FACTOR,
  EVENT_TYPES,
  eventSchemaName,
  WIRE_SAMPLES,
  wireSchemaRef,
} from '@partner-hiring/core/contract';
import { responseHeaders } from './headers.js';
import { APPLICATION_ID, deliveryHeaders, IDEMPOTENCY_KEY, listParameters } from './parameters.js';
import { content, type Examples, responses, SUBMISSION_EXAMPLES } from './responses.js';
import type {
  OpenApiDocument,
  OpenApiOperation,
  OpenApiPath,
  OpenApiReference,
  OpenApiResponses,
} from './types.js';

const BAD_QUERY_EXAMPLE = {
  VALIDATION_ERROR: { VALIDATION_ERROR: { summary: 'An invalid parameter', value: WIRE_SAMPLES.badQuery } },
};

/** Contract: 5 to 7. */
export function paths(limits: RateLimits): Readonly<Record<string, OpenApiPath>> {
  return {
    '/jobs': { get: listJobs(limits) },
    '/applications': { get: listApplications(limits), post: submitApplication(limits) },
    '/applications/{id}': { get: readApplication(limits) },
  };
}

function listJobs(limits: RateLimits): OpenApiOperation {
  const examples = {
    more: { summary: 'A page with a next page', value: WIRE_SAMPLES.jobs.more },
    last: { summary: 'The last page', value: WIRE_SAMPLES.jobs.last },
    none: { summary: 'An empty list', value: WIRE_SAMPLES.jobs.none },
  };
  return {
    operationId: 'listJobs',
    summary: 'List open jobs',
    description: `Lists the open jobs of companies that gave you access, ordered by their last change, oldest first. A job that changes while you page may appear again. No job is skipped.\n\n${counted(limits.list_jobs)}`,
    tags: ['Jobs'],
    parameters: listParameters('jobs'),
    responses: pageResponses('list', wireSchemaRef('JobPage'), examples),
  };
}

function listApplications(limits: RateLimits): OpenApiOperation {
  const examples = { last: { summary: 'The last page', value: WIRE_SAMPLES.applications } };
  return {
    operationId: 'listApplications',
    summary: 'List your applications',
    description: `Lists only the applications that you submitted, ordered by their last change, oldest first. They remain readable after a company has revoked your access.\n\n${counted(limits.list_applications)}`,
    tags: ['Applications'],
    parameters: listParameters('applications'),
    responses: pageResponses('list', wireSchemaRef('ApplicationPage'), examples),
  };
}

function submitApplication(limits: RateLimits): OpenApiOperation {
  const perMinute = limits.submit_application;
  return {
    operationId: 'submitApplication',
    summary: 'Submit a candidate',
    description: `Submits a candidate to a job. Until you receive a response, repeat the request with the same bytes and the same \`Idempotency-Key\`. The candidate is submitted only once.\n\nThe limit is ${perMinute} requests a minute per company, or ${perMinute * BOOTSTRAP_FACTOR} in bootstrap mode. A replay does not count against it.`,
    tags: ['Applications'],
    parameters: [IDEMPOTENCY_KEY],
    requestBody: {
      required: true,
      content: content(wireSchemaRef('Submission'), {
        full: { summary: 'With all fields', value: WIRE_SAMPLES.submission },
        small: { summary: 'With the required fields', value: WIRE_SAMPLES.smallSubmission },
      }),
    },
    responses: responses(
      {
        '201': {
          description:
            'The application was submitted by this request, or by an earlier one with the same idempotency key and the same bytes.',
          headers: responseHeaders('IdempotentReplayed', 'IgnoredFields'),
          content: content(wireSchemaRef('CreatedApplication'), {
            created: { summary: 'Submitted', value: WIRE_SAMPLES.created },
          }),
        },
      },
      [
        'ACCESS_REVOKED',
        'JOB_NOT_FOUND',
        'JOB_CLOSED',
        'DUPLICATE_SOURCE_APPLICATION_ID',
        'IDEMPOTENCY_KEY_IN_PROGRESS',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'IDEMPOTENCY_KEY_REQUIRED',
        'IDEMPOTENCY_KEY_REUSED',
        'VALIDATION_ERROR',
        'RATE_LIMITED',
      ],
      SUBMISSION_EXAMPLES,
      ['IgnoredFields'],
    ),
  };
}

function readApplication(limits: RateLimits): OpenApiOperation {
  const success: OpenApiResponses = {
    '200': {
      description: 'The application.',
      headers: responseHeaders(),
      content: content(wireSchemaRef('Application'), {
        received: { summary: 'Just submitted', value: WIRE_SAMPLES.received },
        hired: { summary: 'Hired', value: WIRE_SAMPLES.hired },
      }),
    },
  };
  return {
    operationId: 'readApplication',
    summary: 'Read one of your applications',
    description: `Returns 404 both for an unknown application and for one of another partner.\n\n${counted(limits.read_application)}`,
    tags: ['Applications'],
    parameters: [APPLICATION_ID],
    responses: responses(success, ['APPLICATION_NOT_FOUND']),
  };
}

export function pageResponses(
  of: 'list' | 'log',
  schema: OpenApiReference,
  examples: Examples,
): OpenApiResponses {
  const found = {
    description: `A page of the ${of}.`,
    headers: responseHeaders('UpdatedThrough'),
    content: content(schema, examples),
  };
  return responses({ '200': found }, ['VALIDATION_ERROR'], BAD_QUERY_EXAMPLE);
}

function counted(limit: number): string {
  return `The limit is ${limit} requests a minute.`;
}

const TEXTS: Readonly<Record<EventType, { readonly summary: string; readonly description: string }>> = {
  'application.status_changed': {
    summary: 'An application was decided',
    description: 'Sent only when an application is accepted or rejected.',
  },
  'job.opened': {
    summary: 'A job became visible to you',
    description:
      'Sent when a job becomes visible to your key: it is new, you got access, or it was unarchived.',
  },
  'job.closed': {
    summary: 'A job is no longer visible to you',
    description: 'Sent when a job stops being visible to your key. `reason` says why.',
  },
};

/** Contract: 12.2 to 12.4, 12.10. */
const ANSWERS: OpenApiResponses = {
  '2XX': { description: 'Accepted. Respond immediately, and within 30 seconds at the latest.' },
  '410': { description: 'Permanently gone. Deliveries pause immediately, and the operator is notified.' },
  default: {
    description:
      'Not accepted. A redirect or a missing response counts as a failure too. The service retries with the same event id: ten attempts in total over four days. An endpoint pauses after 50 consecutive failures, or 24 hours without a success. Its events are kept.',
  },
};

/** Requests to a partner's endpoint. Contract: 10.3 to 10.5. */
export function webhooks(): OpenApiDocument['x-webhooks'] {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: operation(type) }]));
}

function operation(type: EventType): OpenApiOperation {
  const { summary, description } = TEXTS[type];
  const name = eventSchemaName(type);
  return {
    operationId: `receive${name}`,
    summary,
    description,
    tags: ['Webhooks'],
    security: [],
    parameters: deliveryHeaders(type),
    requestBody: {
      required: true,
      content: content(wireSchemaRef(name as `${string}Event`), {
        [type]: { summary, value: WIRE_SAMPLES.delivery(type).event },
      }),
    },
    responses: ANSWERS,
  };
}
