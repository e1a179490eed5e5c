import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { fingerprintOf } from '@partner-hiring/test-support/client/fake-partner-api';
import { BASE, serve, UUID } from '@partner-hiring/test-support/servers/fastify-server';
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
