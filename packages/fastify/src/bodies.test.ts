import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { finished } from 'node:stream/promises';
import { fingerprintOf } from '@partner-hiring/test-support/client/fake-partner-api';
import { requestHead, sendRaw } from '@partner-hiring/test-support/network/raw-request';
import { BASE, serve, UUID } from '@partner-hiring/test-support/servers/fastify-server';
import Fastify from 'fastify';
import { describe, expect, it, vi } from 'vitest';

describe('unread bodies', () => {
  const fields = ['Content-Type: application/json', `Idempotency-Key: ${UUID}`];

  it('returns 413 for an announced large body, and keeps the connection', async () => {
    const { port } = await serve({ app: Fastify({ bodyLimit: 100 }) });
    const text = await sendRaw(port, [
      requestHead('POST', `${BASE}/applications`, ...fields, 'Content-Length: 2000'),
      'x'.repeat(2_000),
      requestHead('GET', `${BASE}/jobs`, 'Connection: close'),
    ]);
    expect(text).toMatch(/^HTTP\/1\.1 413 .*PAYLOAD_TOO_LARGE.*HTTP\/1\.1 200 /s);
    expect(text).toContain('X-RateLimit-Limit: 300');
  });

  it('accepts a body within its limit that exceeds Fastify’s', async () => {
    const { fetch, asked } = await serve({ app: Fastify({ bodyLimit: 100 }) });
    const headers = { 'content-type': 'application/json', 'idempotency-key': UUID };
    const body = ' '.repeat(900);
    expect((await fetch(`${BASE}/applications`, { method: 'POST', headers, body })).status).toBe(201);
    expect(asked.submissions[0]?.fingerprint).toBe(fingerprintOf(' '.repeat(900)));
  });

  it('returns 413 before the end of an unannounced large body', async () => {
    const { port } = await serve();
    const chunk = `3e8\r\n${'x'.repeat(1_000)}\r\n`;
    const text = await sendRaw(
      port,
      [requestHead('POST', `${BASE}/applications`, ...fields, 'Transfer-Encoding: chunked'), chunk, chunk],
      (received) => received.includes('PAYLOAD_TOO_LARGE'),
    );
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('closes the connection of a client that never stops sending, after its reply', async () => {
    const { port } = await serve();
    const text = await new Promise<string>((resolve) => {
      let received = '';
      const socket = connect(port, '127.0.0.1');
      socket.write(requestHead('POST', `${BASE}/applications`, ...fields, 'Transfer-Encoding: chunked'));
      const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
      const pour = () => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('connect', pour).on('drain', pour);
      socket.on('data', (data) => {
        received += String(data);
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(received));
    });
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('returns 401 without reading the body', async () => {
    const rate = {
      limit: 120,
      remaining: 119,
      resetAt: 60_000,
      retryAfterSeconds: 1,
      scope: { kind: 'partner' },
    };
    const { port } = await serve({
      changes: { admit: async () => ({ kind: 'unauthorized', rate }) as never },
    });
    const text = await sendRaw(
      port,
      [requestHead('POST', `${BASE}/applications`, ...fields, 'Content-Length: 500')],
      (received) => received.includes('UNAUTHORIZED'),
    );
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('does not submit when the client leaves half way', async () => {
    const { port, asked, app } = await serve();
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `${requestHead('POST', `${BASE}/applications`, ...fields, 'Content-Length: 100')}{"jobId":1}`,
    );
    while (asked.admissions.length === 0) await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    await app.close();
    while (asked.guarded.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(asked.submissions).toEqual([]);
  });
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
