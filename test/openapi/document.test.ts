import { readFileSync } from 'node:fs';
import { SELF_SERVICE_PRESET } from '@partner-hiring/core';
import { createOpenApiDocument } from '@partner-hiring/partner-docs';
import { createFakePartnerApi } from '@partner-hiring/test-support/client/fake-partner-api';
import { describe, expect, it, test } from 'vitest';
import { ownPaths } from '../../packages/core/src/features/self-service/routes.js';
import { createRouter } from '../../packages/core/src/http/router.js';
import { DOCUMENT_FILE, documentText } from './document-file.js';

const document = createOpenApiDocument();

const EVERY_RIGHT = { ...SELF_SERVICE_PRESET, url: true, rotateSecret: true };

const ALL_PATHS = Object.keys(
  createOpenApiDocument({ selfService: { ...EVERY_RIGHT, events: false } }).paths,
);

test('the committed document matches the schemas: npm run openapi', () => {
  expect(readFileSync(DOCUMENT_FILE, 'utf8')).toBe(documentText());
});

test('lists the paths and methods of the server', () => {
  const locate = createRouter(createFakePartnerApi({}).partner, {
    basePath: '',
    bodyLimits: { maxBytes: 1, timeoutMs: 1 },
  });
  const described = Object.entries(document.paths).map(([path, operations]) => [
    path,
    Object.keys(operations).map((method) => method.toUpperCase()),
  ]);
  const served = Object.keys(document.paths).map((path) => [
    locate(path).apiPath?.path,
    [...(locate(path).apiPath?.routes.keys() ?? [])].filter((method) => method !== 'HEAD'),
  ]);
  expect(described).toEqual(served);
});

test('lists the paths of /webhook-endpoint only if they are on, as the server does', () => {
  for (const selfService of [{}, { url: true }, SELF_SERVICE_PRESET, EVERY_RIGHT]) {
    const locate = createRouter(createFakePartnerApi({}).partner, {
      basePath: '',
      bodyLimits: { maxBytes: 1, timeoutMs: 1 },
      more: [(parts) => ownPaths({ rights: selfService, service: {} as never }, parts)],
    });
    const { paths } = createOpenApiDocument({ selfService: { ...selfService, events: false } });
    for (const path of ALL_PATHS) {
      for (const method of ['GET', 'PUT', 'POST']) {
        const isServed = locate(path, method).apiPath?.routes.has(method) === true;
        const isDescribed = method.toLowerCase() in (paths[path] ?? {});
        expect([path, method, isDescribed]).toEqual([path, method, isServed]);
      }
    }
  }
});

test('refers to every component, and resolves every reference', () => {
  const text = JSON.stringify(document);
  const refs = new Set([...text.matchAll(/"\$ref":"#\/components\/(\w+\/[\w-]+)"/g)].map(([, name]) => name));
  const { securitySchemes, ...referable } = document.components;
  const defined = Object.entries(referable).flatMap(([kind, all]) =>
    Object.keys(all).map((name) => `${kind}/${name}`),
  );
  expect([...refs].sort()).toEqual(defined.sort());
  expect(document.security.flatMap((scheme) => Object.keys(scheme))).toEqual(Object.keys(securitySchemes));
});

test('gives every field a type', () => {
  const untyped: string[] = [];
  const visit = (schema: Readonly<Record<string, unknown>>, path: string): void => {
    if (!['type', '$ref', 'oneOf'].some((keyword) => keyword in schema)) untyped.push(path);
    const { properties = {}, items } = schema as { properties?: Record<string, never>; items?: never };
    for (const [name, property] of Object.entries(properties)) visit(property, `${path}.${name}`);
    if (items !== undefined) visit(items, `${path}[]`);
  };
  for (const [name, schema] of Object.entries(document.components.schemas)) visit(schema, name);
  expect(untyped).toEqual([]);
});

describe('the host’s own choices', () => {
  it('show `GET /events` only if the host serves it, and describe the rest alike', () => {
    const { paths, components, tags, ...others } = createOpenApiDocument({ selfService: { events: true } });
    const { '/events': events, ...four } = paths;
    expect(events?.get?.parameters.map(({ name }) => name)).toEqual([
      'updated_since',
      'cursor',
      'limit',
      'type',
    ]);
    const { EventPage: page, ...schemas } = components.schemas;
    expect(page).toMatchObject({ required: ['data'] });
    const shown = { ...others, paths: four, components: { ...components, schemas }, tags: tags.slice(0, -1) };
    const description = String(others.info.description).replace('| `GET /events` | 60 | key |\n', '');
    expect({ ...shown, info: { ...others.info, description } }).toEqual(document);
    expect(description).not.toBe(others.info.description);
    expect(createOpenApiDocument({ selfService: { events: false } })).toEqual(document);
  });

  it('include origin and base path', () => {
    const [server] = createOpenApiDocument({ origin: 'https://hiring.test', basePath: '/partners/' }).servers;
    expect(server?.url).toBe('https://hiring.test/partners');
    expect(document.servers[0]?.url).toBe('/api/v1/external');
    expect(createOpenApiDocument({ basePath: '/' }).servers[0]?.url).toBe('/');
    expect(() => createOpenApiDocument({ basePath: 'partners' })).toThrow(
      '`basePath` must begin with a slash',
    );
  });

  it('include limits and the largest body', () => {
    const text = JSON.stringify(
      createOpenApiDocument({ limits: { submit_application: 7 }, maxBodyBytes: 4_321 }),
    );
    expect(text).toContain('7 requests a minute per company, or 35 in bootstrap mode');
    expect(text).toContain('| 7, or 35 in bootstrap mode |');
    expect(text).toContain('at most 4321 bytes');
    expect(JSON.stringify(document)).toContain('| 10, or 50 in bootstrap mode |');
  });
});
