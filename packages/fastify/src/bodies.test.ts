import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { fingerprintOf } from '@partner-hiring/test-support/client/fake-partner-api';
import {
  serveBehindPlatform,
  UNUSABLE_RAW_BODIES,
} from '@partner-hiring/test-support/servers/body-reading-platform';
import { BASE, MAX_BODY_BYTES, serve, UUID } from '@partner-hiring/test-support/servers/fastify-server';
import Fastify from 'fastify';
import { describe, expect, it, vi } from 'vitest';

it('accepts a body within its limit that exceeds Fastify’s', async () => {
  const { fetch, asked } = await serve({ app: Fastify({ bodyLimit: 100 }) });
  const headers = { 'content-type': 'application/json', 'idempotency-key': UUID };
  const body = ' '.repeat(900);
  expect((await fetch(`${BASE}/applications`, { method: 'POST', headers, body })).status).toBe(201);
  expect(asked.submissions[0]?.fingerprint).toBe(fingerprintOf(' '.repeat(900)));
});

describe('returns 500 when a hook has read the body, and logs the fix', () => {
  const HOOKS: readonly (readonly [string, (raw: IncomingMessage) => unknown])[] = [
    ['to its end', (raw) => finished(raw.resume())],
    ['in part', (raw) => once(raw, 'data').then(() => raw.pause())],
    ['and keeps reading', (raw) => raw.resume()],
    ['by calling setEncoding', (raw) => void raw.setEncoding('utf8')],
  ];
  it.each(HOOKS)('%s', async (_, read) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const app = Fastify();
    app.addHook('onRequest', async ({ raw }) => void (await read(raw)));
    const { fetch, asked, logged } = await serve({ app });
    const headers = { 'content-type': 'application/json', 'idempotency-key': UUID };
    for (const _time of [1, 2]) {
      const response = await fetch(`${BASE}/applications`, { method: 'POST', headers, body: '{"a":1}' });
      expect(response.status).toBe(500);
      expect(response.headers.get('x-ratelimit-limit')).not.toBeNull();
      expect(await response.json()).toMatchObject({ error: 'INTERNAL_ERROR' });
    }
    expect(asked.submissions).toEqual([]);
    const message = expect.stringContaining('Do not run `onRequest` hooks that read bodies on its path');
    expect(logged[0]).toMatchObject({ level: 'error', fields: { err: { name: 'OperatorError', message } } });
    expect(warn.mock.calls).toEqual([[message, { type: 'PartnerHiringWarning', code: 'MISCONFIGURED' }]]);
  });

  it('requests without a body still work', async () => {
    const app = Fastify();
    app.addHook('onRequest', async ({ raw }) => void raw.resume());
    const { fetch } = await serve({ app });
    const headers = { 'content-type': 'application/json', 'idempotency-key': UUID };
    expect((await fetch(`${BASE}/applications/ej_app_1`)).status).toBe(200);
    expect((await fetch(`${BASE}/applications`, { method: 'POST', headers })).status).toBe(201);
  });
});

describe('behind a platform that has read the body', () => {
  const create = async (keep?: (bytes: Buffer) => unknown) => {
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const { app, asked } = await serve();
    // As Google's documentation hands requests to Fastify.
    const origin = await serveBehindPlatform((...call) => void app.server.emit('request', ...call), keep);
    const headers = { 'content-type': 'application/json', 'idempotency-key': UUID };
    const post = (body: string, more = {}) =>
      fetch(`${origin}${BASE}/applications`, { method: 'POST', headers: { ...headers, ...more }, body });
    return { asked, post };
  };

  it('takes the exact bytes from `rawBody`, by the rules for all bodies', async () => {
    const { asked, post } = await create();
    expect((await post('{ "a": "é" }')).status).toBe(201);
    expect(asked.submissions[0]?.fingerprint).toBe(fingerprintOf('{ "a": "é" }'));
    expect((await post(' '.repeat(MAX_BODY_BYTES + 1))).status).toBe(413);
    expect((await post('{}', { 'content-encoding': 'gzip' })).status).toBe(415);
    expect(asked.submissions).toHaveLength(1);
  });

  it.each(UNUSABLE_RAW_BODIES)('returns 500 if `rawBody` is %s', async (_, keep) => {
    const { asked, post } = await create(keep);
    expect((await post('{"a":1}')).status).toBe(500);
    expect(asked.submissions).toEqual([]);
  });
});
