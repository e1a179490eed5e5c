import { EVENT_TYPES, type EventType } from '../domain/event.js';
import { BOOTSTRAP_FACTOR, type RateLimits } from '../domain/rate-limit.js';
import { responseHeaders } from './headers.js';
import { APPLICATION_ID, deliveryHeaders, IDEMPOTENCY_KEY, listParameters } from './parameters.js';
import { content, type Examples, responses, SUBMISSION_EXAMPLES } from './responses.js';
import {
  APPLICATIONS,
  BAD_QUERY,
  CREATED,
  delivery,
  JOBS,
  READ,
  SMALL_SUBMISSION,
  SUBMISSION,
} from './samples.js';
import { eventName, schemaRef } from './schemas.js';
import type { OpenApiDocument, OpenApiOperation, OpenApiPath, OpenApiResponses } from './types.js';

const BAD_QUERY_EXAMPLE = {
  VALIDATION_ERROR: { VALIDATION_ERROR: { summary: 'A parameter', value: BAD_QUERY } },
};

/** The four endpoints. Spec: Endpoints. */
export function paths(limits: RateLimits): Readonly<Record<string, OpenApiPath>> {
  return {
    '/jobs': { get: listJobs(limits) },
    '/applications': { get: listApplications(limits), post: submitApplication(limits) },
    '/applications/{id}': { get: readApplication(limits) },
  };
}

function listJobs(limits: RateLimits): OpenApiOperation {
  const examples = {
    more: { summary: 'A page with more behind it', value: JOBS.more },
    last: { summary: 'The last page', value: JOBS.last },
    none: { summary: 'Nothing to see', value: JOBS.none },
  };
  return {
    operationId: 'listJobs',
    summary: 'List open jobs',
    description: `The open jobs of the companies that have let you in, in the order in which they last changed, oldest change first. A job that changes while you page may come again; none is left out.\n\n${counted(limits.list_jobs)}`,
    tags: ['Jobs'],
    parameters: listParameters('jobs'),
    responses: responses(page('JobPage', examples), ['VALIDATION_ERROR'], BAD_QUERY_EXAMPLE),
  };
}

function listApplications(limits: RateLimits): OpenApiOperation {
  const examples = { last: { summary: 'The last page', value: APPLICATIONS } };
  return {
    operationId: 'listApplications',
    summary: 'List your applications',
    description: `The applications that you submitted, and only those, in the order in which they last changed. They stay readable after a company has revoked your access.\n\n${counted(limits.list_applications)}`,
    tags: ['Applications'],
    parameters: listParameters('applications'),
    responses: responses(page('ApplicationPage', examples), ['VALIDATION_ERROR'], BAD_QUERY_EXAMPLE),
  };
}

function submitApplication(limits: RateLimits): OpenApiOperation {
  const perMinute = limits.submit_application;
  return {
    operationId: 'submitApplication',
    summary: 'Submit a candidate',
    description: `Submits a candidate to a job. Send the same bytes with the same \`Idempotency-Key\` until you have an answer: nothing happens twice.\n\n${perMinute} a minute for each company, ${perMinute * BOOTSTRAP_FACTOR} in bootstrap mode. A replay does not count against this limit.`,
    tags: ['Applications'],
    parameters: [IDEMPOTENCY_KEY],
    requestBody: {
      required: true,
      content: content(schemaRef('Submission'), {
        full: { summary: 'With all fields', value: SUBMISSION },
        small: { summary: 'With the required fields', value: SMALL_SUBMISSION },
      }),
    },
    responses: responses(
      {
        '201': {
          description: 'Submitted, now or by an earlier request with the same key and the same bytes.',
          headers: responseHeaders('IdempotentReplayed'),
          content: content(schemaRef('CreatedApplication'), {
            created: { summary: 'Submitted', value: CREATED },
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
    ),
  };
}

function readApplication(limits: RateLimits): OpenApiOperation {
  const success: OpenApiResponses = {
    '200': {
      description: 'The application.',
      headers: responseHeaders(),
      content: content(schemaRef('Application'), {
        received: { summary: 'Just submitted', value: READ.received },
        hired: { summary: 'Hired', value: READ.hired },
      }),
    },
  };
  return {
    operationId: 'readApplication',
    summary: 'Read one of your applications',
    description: `Unknown and somebody else's are the same: 404.\n\n${counted(limits.read_application)}`,
    tags: ['Applications'],
    parameters: [APPLICATION_ID],
    responses: responses(success, ['APPLICATION_NOT_FOUND']),
  };
}

function page(name: 'JobPage' | 'ApplicationPage', examples: Examples): OpenApiResponses {
  return {
    '200': {
      description: 'A page.',
      headers: responseHeaders('UpdatedThrough'),
      content: content(schemaRef(name), examples),
    },
  };
}

function counted(limit: number): string {
  return `${limit} requests a minute.`;
}

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
