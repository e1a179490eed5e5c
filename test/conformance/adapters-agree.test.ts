/**
 * The same raw requests to every adapter, and the same bytes back: same clock, same ids, same secrets. Only
 * `Date` is the servers' own.
 */
import type { AddressInfo } from 'node:net';
import type { Served, ServedApi } from '@partner-hiring/conformance';
import type { IdKind, Runtime } from '@partner-hiring/core';
import { partnerHiringExpress } from '@partner-hiring/express';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import { createNodeHandler } from '@partner-hiring/node';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner, submission } from '@partner-hiring/test-support/partner';
import { EXPRESS } from '@partner-hiring/test-support/servers/express-name';
import express from 'express';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { listen } from './listen.js';
import { sendAll } from './send-all.js';

const BASE = '/api/v1/external';

type Serve = (api: ServedApi, prefix: string) => Promise<Served>;

const SERVERS: Readonly<Record<string, Serve>> = {
  Fastify: async (api, prefix) => {
    // The same time as in `listen`, because the `Keep-Alive` header contains it.
    const app = Fastify({ forceCloseConnections: true, keepAliveTimeout: 1_000 });
    await app.register(partnerHiringFastify(api), { prefix });
    await app.listen({ host: '127.0.0.1', port: 0 });
    return { port: (app.server.address() as AddressInfo).port, close: () => app.close() };
  },
  [EXPRESS]: (api, prefix) => listen(express().use(prefix === '' ? '/' : prefix, partnerHiringExpress(api))),
  'Node’s own server': (api, prefix) => listen(createNodeHandler(api, { prefix })),
};

interface Parties {
  readonly secret: string;
  readonly jobId: string;
}

/** Requests that end their connection, so that all that comes back belongs to them. */
function requests({ secret, jobId }: Parties, prefix: string): readonly (readonly [string, string])[] {
  const key = (number: number) => `Idempotency-Key: ${number}9c6f3f0-6c0e-4f5a-9d53-0a4b8f2f7a10`;
  const [auth, json, close] = [
    `Authorization: Bearer ${secret}`,
    'Content-Type: application/json',
    'Connection: close',
  ];
  const head = (method: string, target: string, ...fields: readonly string[]) =>
    `${[`${method} ${target} HTTP/1.1`, 'Host: a', ...fields].join('\r\n')}\r\n\r\n`;
  const get = (path: string, ...fields: readonly string[]) =>
    head('GET', prefix + BASE + path, ...fields, close);
  const post = (body: string, ...fields: readonly string[]) =>
    head(
      'POST',
      `${prefix}${BASE}/applications`,
      ...fields,
      `Content-Length: ${Buffer.byteLength(body)}`,
      close,
    ) + body;
  const body = JSON.stringify(submission(jobId, { sourceApplicationId: 'é' }));
  const half = Math.floor(body.length / 2);
  const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

  const paths = [
    '/jobs',
    '/jobs?limit=1',
    '/jobs?limit=0',
    '/jobs?limit=%zz',
    '/jobs?',
    '/jobs#x',
    '/jobs/',
    '/Jobs',
    '',
    '/',
    '?x=1',
    '/nothing',
    '//jobs',
    '/%6Aobs',
    '/jobs%2F',
    '/%',
    '/%zz/jobs',
    '/jobs;a',
    '/./jobs',
    '/applications',
    '/applications/',
    '/applications/a/b',
    '/applications/%zz',
    '/applications/%E0%A4%A',
    '/applications/%00',
    '/applications/%2F',
    '/applications/ej_app_none',
    `/applications/${'x'.repeat(999)}`,
    '/applications/"<>\\^`{|}',
    '/../external/jobs',
    '/applications/../jobs',
    '/applications/:id',
    '/*',
    '/%2e/jobs',
    '/x/%2E%2e/jobs?limit=1',
    '\\jobs',
    '/applications/..',
    '/jobs/.',
    '/..;/external/jobs',
    '/../../..',
    '/../elsewhere',
    `/../../../../..${BASE}/jobs`,
    `/../../../../../../..${BASE}/jobs`,
  ];
  const methods = [
    'HEAD',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'PROPFIND',
    'PURGE',
    'M-SEARCH',
    'TRACE',
  ];
  return [
    ...paths.map((path) => [`GET ${path}`, get(path, auth)] as const),
    ...methods.map((method) => [method, head(method, `${prefix}${BASE}/jobs`, auth, close)] as const),
    ['HEAD of nothing', head('HEAD', `${prefix}${BASE}/nothing`, auth, close)],
    ['OPTIONS of nothing', head('OPTIONS', `${prefix}${BASE}/nothing`, auth, close)],
    ['a whole URL', head('GET', `http://b.example${prefix}${BASE}/jobs`, auth, close)],
    ['dots in front of the base path', head('GET', `${prefix}/x/..${BASE}/jobs`, auth, close)],
    ['dots out of a prefix and back', head('GET', `${prefix}/x/../../..${prefix}${BASE}/jobs`, auth, close)],
    ['a whole URL with dots', head('GET', `http://b.example${prefix}/%2e${BASE}/jobs#x`, auth, close)],
    ['a whole URL with a backslash', head('GET', `http://b.example${prefix}${BASE}\\jobs`, auth, close)],
    ['a whole URL in capitals', head('GET', `HTTP://B.EXAMPLE${prefix}${BASE}/jobs`, auth, close)],
    ['a whole URL, broken', head('GET', `http://b.example${prefix}${BASE}/applications/%zz`, auth, close)],
    ['a base path in percent-encoding', get('/jobs', auth).replace('/external', '/%65xternal')],
    ['no key', get('/jobs')],
    ['no key, nothing there', get('/nothing')],
    ['two Authorization fields', get('/jobs', auth, auth.toLowerCase().replace('bearer', 'Bearer'))],
    ['other letter case', get('/jobs', auth.replace('Authorization', 'aUTHORIZATION'))],
    ['a GET with a body', get('/jobs', auth, 'Content-Length: 2').concat('{}')],
    ['HTTP/1.0', get('/jobs', auth).replace('HTTP/1.1', 'HTTP/1.0')],
    ['201', post(body, auth, json, key(1))],
    ['replayed', post(body, auth, json, key(1))],
    ['reused', post(`${body} `, auth, json, key(1))],
    ['duplicate', post(body, auth, json, key(2))],
    ['no idempotency key', post(body, auth, json)],
    ['two idempotency keys', post(body, auth, json, key(3), key(4))],
    ['no type', post(body, auth, key(3))],
    ['two types', post(body, auth, json, 'Content-Type: text/plain', key(3))],
    ['broken type', post(body, auth, 'Content-Type: ;;', key(3))],
    ['gzip', post(body, auth, json, 'Content-Encoding: gzip', key(3))],
    ['malformed', post('{"a', auth, json, key(3))],
    ['a byte order mark', post('\ufeff{}', auth, json, key(3))],
    ['empty', post('', auth, json, key(3))],
    ['no body', head('POST', `${prefix}${BASE}/applications`, auth, json, key(3), close)],
    ['too large', post('x'.repeat(300_000), auth, json, key(3))],
    ['of a stranger', post(body, json, key(3))],
    ['Expect', post(body, auth, json, key(1), 'Expect: 100-continue')],
    [
      'chunked',
      head('POST', `${prefix}${BASE}/applications`, auth, json, key(1), 'Transfer-Encoding: chunked', close) +
        `${chunk(body.slice(0, half))}${chunk(body.slice(half))}0\r\n\r\n`,
    ],
    [
      'pipelined',
      [
        get('/jobs', auth),
        post(body, auth, json, key(1)),
        get('/nothing', auth),
        head('HEAD', `${prefix}${BASE}/jobs`, auth, close),
      ]
        .map((text, index) => (index === 3 ? text : text.replace(`${close}\r\n`, '')))
        .join(''),
    ],
  ];
}

/** A world in which nothing is left to chance, and all that comes back from it, request by request. */
async function converse(serve: Serve, prefix: string): Promise<readonly (readonly [string, string])[]> {
  const fixture = await createFixture({ runtime: createCountingRuntime() });
  const partner = await createPartner(fixture);
  const { jobId } = await createEmployer(fixture, partner);
  const served = await serve(
    { handler: fixture.partnerHiring.handler, fetch: fixture.partnerHiring.fetch },
    prefix,
  );
  const answers: (readonly [string, string])[] = [];
  for (const [name, bytes] of requests({ secret: partner.secret, jobId }, prefix)) {
    const text = await sendAll(served.port, bytes);
    answers.push([name, text.replaceAll(/^date: .*$/gim, 'Date: …')]);
  }
  await served.close();
  await fixture.close();
  return answers;
}

const PREFIXES: Readonly<Record<IdKind, string>> = {
  company: 'co_',
  job: 'job_',
  application: 'ej_app_',
  event: 'evt_',
  partner: 'ptn_',
  key: 'key_',
  alert: 'alr_',
  operation: 'op_',
  audit: 'aud_',
  worker: 'wkr_',
};

/** Ids, bytes and tokens that count up, on a clock that stands still. */
function createCountingRuntime(): Runtime {
  let count = 0;
  const next = () => ++count;
  return {
    clock: createFakeClock(),
    ids: { next: (kind) => `${PREFIXES[kind]}${next()}` as never },
    random: {
      bytes: (length) => new Uint8Array(length).fill(next()),
      fraction: () => 0.5,
      token: () => `token-${next()}`,
    },
  };
}

it.each(['', '/hiring/v2'])(
  'under the prefix %j all adapters answer alike, byte for byte',
  async (prefix) => {
    const { Fastify: serveFastify, ...others } = SERVERS;
    if (serveFastify === undefined) throw new Error('There is no Fastify.');
    const expected = await converse(serveFastify, prefix);
    for (const [, text] of expected) expect(text).toMatch(/^HTTP\/1\.1 \d{3} .*X-Request-Id: token-/s);
    expect(expected.find(([name]) => name === '201')?.[1]).toMatch(/^HTTP\/1\.1 201 /);
    for (const serve of Object.values(others)) expect(await converse(serve, prefix)).toEqual(expected);
  },
);
