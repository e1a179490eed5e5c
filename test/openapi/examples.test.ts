/** Every example is valid, and every error has one. */
import { createContract } from '@partner-hiring/conformance';
import {
  createOpenApiDocument,
  type OpenApiContent,
  type OpenApiOperation,
  type OpenApiResponse,
  type OpenApiResponses,
} from '@partner-hiring/partner-docs';
import { verifyWebhook } from '@partner-hiring/webhook-verifier';
import { describe, expect, it, test } from 'vitest';
import { EVENT_TYPES } from '../../packages/core/src/domain/event.js';
import { WIRE_ERRORS } from '../../packages/core/src/domain/wire-errors.js';
import { parseBody } from '../../packages/core/src/http/parse-submission.js';
import { createSchemaChecker } from '../conformance/suite/openapi/contract.js';

const document = createOpenApiDocument();
const checker = createSchemaChecker(document);
const operations = Object.values(document.paths).flatMap(({ get, post }) => [get, post].filter(isThere));
const deliveries = Object.values(document['x-webhooks']).map(({ post }) => post);

function isThere(operation: OpenApiOperation | undefined): operation is OpenApiOperation {
  return operation !== undefined;
}

interface Body {
  readonly at: string;
  readonly content: OpenApiContent;
}

function bodiesOf(at: string, responses: OpenApiResponses): readonly Body[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    const { content } = resolve(response);
    return content === undefined ? [] : [{ at: `${at} ${status}`, content }];
  });
}

function resolve(response: OpenApiResponses[string]): OpenApiResponse {
  if (!('$ref' in response)) return response;
  const found = document.components.responses[response.$ref.split('/').at(-1) ?? ''];
  if (found === undefined) throw new Error(`${response.$ref} leads nowhere.`);
  return found;
}

const UNMATCHED = bodiesOf('unmatched', document['x-unmatched-requests'].responses);
const REQUESTS = [...operations, ...deliveries].flatMap(({ operationId: at, requestBody }) =>
  requestBody === undefined ? [] : [{ at, content: requestBody.content }],
);
const RESPONSES = [
  ...operations.flatMap(({ operationId, responses }) => bodiesOf(operationId, responses)),
  ...UNMATCHED,
];

test.each([...REQUESTS, ...RESPONSES])('the examples at $at match its schema', ({ content }) => {
  const { schema, examples } = content['application/json'];
  expect(Object.keys(examples)).not.toEqual([]);
  for (const { value } of Object.values(examples)) expect(checker.check(schema, value)).toEqual([]);
});

test('of headers and parameters match their schemas', () => {
  const described = [
    ...Object.entries(document.components.headers),
    ...[...operations, ...deliveries].flatMap(({ parameters }) =>
      parameters.map((one) => [one.name, one] as const),
    ),
  ];
  expect(described.length).toBeGreaterThan(20);
  for (const [name, { schema, example }] of described) {
    expect([name, example, checker.check(schema, example)]).toEqual([name, example, []]);
  }
});

test('of submissions are valid for the server', () => {
  const { examples } =
    REQUESTS.find(({ at }) => at === 'submitApplication')?.content['application/json'] ?? {};
  expect(Object.keys(examples ?? {})).toEqual(['full', 'small']);
  for (const { value } of Object.values(examples ?? {})) {
    const { submitted } = parseBody(Buffer.from(JSON.stringify(value)), 'production');
    expect(submitted.parsed.kind).toBe('valid');
  }
});

test('of invalid fields come from one submission', () => {
  const { examples } =
    RESPONSES.find(({ at }) => at === 'submitApplication 422')?.content['application/json'] ?? {};
  const shown = (examples?.VALIDATION_ERROR?.value ?? {}) as { readonly details?: { errors: unknown } };
  const candidate = { firstName: 'Ada', email: 'ada', phone: '+14155550123' };
  const body = JSON.stringify({ jobId: 'job_1', candidate, consentToContact: true });
  expect(parseBody(Buffer.from(body), 'production').submitted.parsed).toMatchObject({
    kind: 'invalid',
    errors: shown.details?.errors,
  });
});

describe('errors', () => {
  const shown = RESPONSES.flatMap(({ at, content }) =>
    Object.values(content['application/json'].examples).map(({ value }) => ({
      at,
      body: value as { readonly error?: keyof typeof WIRE_ERRORS; readonly message?: string },
    })),
  ).filter(({ body }) => body.error !== undefined);

  it('are complete, each with its status and message', () => {
    expect(new Set(shown.map(({ body }) => body.error))).toEqual(new Set(Object.keys(WIRE_ERRORS)));
    for (const { at, body } of shown) {
      const { status, message } = WIRE_ERRORS[body.error ?? 'NOT_FOUND'];
      expect([at, body.message]).toEqual([at.replace(/\d+$/, String(status)), message]);
    }
  });

  it('have an example of each code of their schema', () => {
    for (const { at, content } of RESPONSES) {
      const { schema, examples } = content['application/json'];
      const refs = JSON.stringify(schema).match(/schemas\/\w+Error/g) ?? [];
      const codes = new Set(Object.values(examples).map(({ value }) => (value as { error?: string }).error));
      if (refs.length > 0) expect([at, codes.size]).toEqual([at, new Set(refs).size]);
    }
  });

  it('of each operation are those of the contract', () => {
    const codesOf = (id: string) => [
      ...new Set(shown.filter(({ at }) => at.startsWith(`${id} `)).map(({ body }) => body.error)),
    ];
    const everywhere = ['UNAUTHORIZED', 'RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];
    const sorted = (...codes: readonly string[]) => [...everywhere, ...codes].sort();
    expect(codesOf('listJobs').sort()).toEqual(sorted('VALIDATION_ERROR'));
    expect(codesOf('listApplications').sort()).toEqual(sorted('VALIDATION_ERROR'));
    expect(codesOf('readApplication').sort()).toEqual(sorted('APPLICATION_NOT_FOUND'));
    expect(codesOf('unmatched').sort()).toEqual(sorted('NOT_FOUND', 'METHOD_NOT_ALLOWED'));
    const elsewhere = ['APPLICATION_NOT_FOUND', 'NOT_FOUND', 'METHOD_NOT_ALLOWED'];
    const submission = Object.keys(WIRE_ERRORS).filter((code) => !elsewhere.includes(code));
    expect(codesOf('submitApplication').sort()).toEqual(submission.sort());
  });
});

test.each(EVENT_TYPES)('%s is a delivery that the contract and the verifier accept', async (type) => {
  const operation = document['x-webhooks'][type]?.post;
  const [example] = Object.values(operation?.requestBody?.content['application/json'].examples ?? {});
  const headers = Object.fromEntries(
    (operation?.parameters ?? []).map(({ name, example: value }) => [name, String(value)]),
  );
  const body = JSON.stringify(example?.value);
  const [secret = ''] = /whsec_\w+/.exec(operation?.parameters[0]?.description ?? '') ?? [];
  const signedAt = Number(headers['X-Partner-Timestamp']);
  expect(JSON.parse(body)).toMatchObject({ type });
  expect(createContract(document).checkDelivery({ headers, body })).toEqual([]);
  const verified = await verifyWebhook({ body, headers, secret, now: signedAt * 1_000 });
  expect(verified).toMatchObject({ ok: true, event: { type } });
});
