/** The Postman collection has exactly the requests of the OpenAPI document. */
import { readFileSync } from 'node:fs';
import { SELF_SERVICE_PRESET } from '@partner-hiring/core';
import {
  createOpenApiDocument,
  createPostmanCollection,
  type OpenApiOperation,
  type OpenApiParameter,
  type PostmanItem,
} from '@partner-hiring/partner-docs';
import { describe, expect, test } from 'vitest';
import { createSchemaChecker } from '../conformance/suite/openapi/contract.js';
import { COLLECTION_FILE, collectionText } from './document-file.js';

const document = createOpenApiDocument();
const collection = createPostmanCollection();
const items = collection.item.flatMap(({ item }) => item);

const OPERATIONS = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]: [string, OpenApiOperation]) => ({
    line: `${method.toUpperCase()} ${path}`,
    operation,
  })),
);

/** The method and path as the document writes them. */
function lineOf({ request: { method, url } }: PostmanItem): string {
  return `${method} /${url.path.map((segment) => segment.replace(/^:(.*)$/, '{$1}')).join('/')}`;
}

function itemFor(line: string): PostmanItem {
  const [item] = items.filter((one) => lineOf(one) === line);
  if (item === undefined) throw new Error(`The collection has no ${line}.`);
  return item;
}

/** A value of a collection, with its variables as a client fills them in. */
function filled(value: string): string {
  return value
    .replaceAll('{{$guid}}', '9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a10')
    .replaceAll('{{applicationId}}', 'ej_app_01k2f9')
    .replaceAll('{{jobId}}', 'job_01k2f7');
}

test('the committed collection matches the schemas: npm run openapi', () => {
  expect(readFileSync(COLLECTION_FILE, 'utf8')).toBe(collectionText());
});

test('has one request for each operation, in an order in which each finds what it needs', () => {
  expect(items.map(lineOf)).toEqual([
    'GET /jobs',
    'POST /applications',
    'GET /applications',
    'GET /applications/{id}',
  ]);
  expect(items.map(lineOf).sort()).toEqual(OPERATIONS.map(({ line }) => line).sort());
});

describe.each(OPERATIONS)('$line', ({ line, operation }) => {
  const { request, name } = itemFor(line);

  test('has the summary, the description and every parameter', () => {
    expect([name, request.description]).toEqual([operation.summary, operation.description]);
    const own = request.header.filter(({ key }) => key !== 'Content-Type');
    const listed = [...own, ...request.url.query, ...request.url.variable];
    const byName = (names: readonly string[]) => [...names].sort();
    expect(byName(listed.map(({ key }) => key))).toEqual(byName(operation.parameters.map((one) => one.name)));
    for (const { name: parameter, required, description } of operation.parameters) {
      const field = listed.find(({ key }) => key === parameter);
      expect([field?.disabled ?? false, field?.description]).toEqual([!required, description]);
    }
  });

  test('has values that the schemas of its parameters accept', () => {
    const checker = createSchemaChecker(document);
    const sentFor = ({ name: parameter }: OpenApiParameter) =>
      [...request.header, ...request.url.query, ...request.url.variable].find(({ key }) => key === parameter)
        ?.value;
    for (const parameter of operation.parameters) {
      const text = filled(sentFor(parameter) ?? '');
      const value = parameter.schema.type === 'integer' ? Number(text) : text;
      expect(checker.check(parameter.schema, value), parameter.name).toEqual([]);
    }
  });

  test('has a body exactly if the operation takes one, and its schema accepts it', () => {
    expect(request.body !== undefined).toBe(operation.requestBody !== undefined);
    const schema = operation.requestBody?.content['application/json'].schema;
    if (schema === undefined) return;
    const body: unknown = JSON.parse(filled(String(request.body?.raw)));
    expect(createSchemaChecker(document).check(schema, body)).toEqual([]);
    expect(request.header).toContainEqual({ key: 'Content-Type', value: 'application/json' });
  });
});

test('uses the variables that it declares, and no others', () => {
  const used = [...JSON.stringify(collection).matchAll(/\{\{([^$}]+)\}\}/g)].map(([, name]) => name);
  expect([...new Set(used)].sort()).toEqual(collection.variable.map(({ key }) => key).sort());
});

test('has the host’s own address and limits', () => {
  const own = createPostmanCollection({ origin: 'https://hiring.test/', limits: { list_jobs: 7 } });
  expect(own.variable[0]).toEqual({ key: 'baseUrl', value: 'https://hiring.test/api/v1/external' });
  expect(JSON.stringify(own)).toContain('The limit is 7 requests a minute.');
  expect(() => createPostmanCollection({ origin: 'hiring.test' })).toThrow('`origin` must be the public URL');
});

test('has the requests of self-service, with their bodies and an event of the list of deliveries', () => {
  const selfService = { ...SELF_SERVICE_PRESET, url: true, rotateSecret: true };
  const { item, variable } = createPostmanCollection({ selfService });
  const own = item.find(({ name }) => name === 'Webhook endpoint')?.item ?? [];
  const lines = own.map((one) => `${lineOf(one)} ${one.request.body === undefined ? '' : 'body'}`.trim());
  expect(lines.sort()).toEqual([
    'GET /webhook-endpoint',
    'GET /webhook-endpoint/deliveries',
    'POST /webhook-endpoint/deliveries/{eventId}/resend',
    'POST /webhook-endpoint/pause',
    'POST /webhook-endpoint/resend body',
    'POST /webhook-endpoint/resume body',
    'POST /webhook-endpoint/rotate-secret body',
    'POST /webhook-endpoint/test',
    'PUT /webhook-endpoint body',
  ]);
  expect(JSON.stringify(own)).toContain('"value":"{{eventId}}"');
  expect(JSON.stringify(own)).not.toContain('{{jobId}}');
  expect(variable.map(({ key }) => key)).toContain('eventId');
});
