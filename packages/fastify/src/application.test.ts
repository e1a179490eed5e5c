import { once } from 'node:events';
import { connect } from 'node:net';
import { fingerprintOf } from '@partner-hiring/test-support/client/fake-partner-api';
import { requestHead, sendRaw } from '@partner-hiring/test-support/network/raw-server';
import { BASE, serve, UUID } from '@partner-hiring/test-support/servers/fastify-server';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';

describe('the surrounding application', () => {
  it('keeps its routes, parsers, limits and 404s', async () => {
    const app = Fastify();
    app.post('/echo', async (request) => ({ got: request.body }));
    const { fetch } = await serve({ app });
    const headers = { 'content-type': 'application/json' };
    const echoed = await fetch('/echo', { method: 'POST', headers, body: '{"a":1}' });
    expect(await echoed.json()).toEqual({ got: { a: 1 } });
    expect(echoed.headers.get('x-request-id')).toBeNull();
    const unparsed = await fetch('/echo', {
      method: 'POST',
      headers: { 'content-type': 'text/csv' },
      body: 'a',
    });
    expect(unparsed.status).toBe(415);
    expect(await (await fetch('/elsewhere')).json()).toMatchObject({
      message: 'Route GET:/elsewhere not found',
    });
    for (const path of ['/elsewhere/%zz', `${BASE}-docs/%zz`]) expect((await fetch(path)).status).toBe(400);
  });

  it('gets other targets unchanged', async () => {
    const app = Fastify();
    const seen: (string | undefined)[] = [];
    app.get('/*', async ({ raw }) => void seen.push(raw.url));
    const { port } = await serve({ app });
    const targets = [
      '/x/../elsewhere',
      '/x/%2e%2e/elsewhere',
      `${BASE}x/../jobs`,
      '/x\\y',
      `/x?/..${BASE}/jobs`,
    ];
    for (const target of targets) {
      await sendRaw(port, [requestHead('GET', target, 'Connection: close')]);
    }
    expect(seen).toEqual(targets);
  });

  it('does not apply its error handlers, not-found handlers, other hooks or parsers to the API', async () => {
    const app = Fastify();
    app.setErrorHandler(() => ({ theirs: true }));
    app.setNotFoundHandler(() => ({ theirs: true }));
    app.addHook('preParsing', async () => Promise.reject(new Error('theirs')));
    app.addHook('onSend', async () => 'theirs');
    const { fetch } = await serve({ app });
    expect((await fetch(`${BASE}/nothing`)).status).toBe(404);
    const body = '{}';
    const headers = { 'content-type': 'application/json', 'idempotency-key': UUID };
    const created = await fetch(`${BASE}/applications`, { method: 'POST', headers, body });
    expect(await created.text()).toBe('{"id":"ej_app_1"}');
  });

  it('runs its onRequest hooks before, which may set headers, and its onResponse hooks after', async () => {
    const app = Fastify();
    const statuses: number[] = [];
    app.addHook('onRequest', async (_, reply) => {
      reply.headers({ 'strict-transport-security': 'max-age=1', 'x-request-id': 'theirs' });
    });
    app.addHook('onResponse', async (_, reply) => {
      statuses.push(reply.statusCode);
    });
    const { fetch } = await serve({ app });
    const { headers } = await fetch(`${BASE}/nothing`);
    expect(headers.get('strict-transport-security')).toBe('max-age=1');
    expect(headers.get('x-request-id')).toBe('request-1');
    await expect.poll(() => statuses).toEqual([404]);
  });

  it('keeps the body while a slow hook pauses the request', async () => {
    const app = Fastify();
    app.addHook('onRequest', ({ raw }, _reply, done) => {
      raw.pause();
      setTimeout(done, 20);
    });
    const { fetch, asked } = await serve({ app });
    const headers = { 'content-type': 'application/json', 'idempotency-key': UUID };
    const body = ' '.repeat(900);
    expect((await fetch(`${BASE}/applications`, { method: 'POST', headers, body })).status).toBe(201);
    expect(asked.submissions[0]?.fingerprint).toBe(fingerprintOf(' '.repeat(900)));
  });

  it('answers requests while it closes, with return503OnClosing: false', async () => {
    const app = Fastify({ return503OnClosing: false });
    let finish = () => {};
    const isFinishing = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const isClosing = new Promise<void>((resolve) => {
      app.addHook('preClose', async () => resolve());
    });
    app.get('/long', () => isFinishing.then(() => 'long'));
    const { port } = await serve({ app });
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    const text = socket.reduce((all: string, part: string) => all + part, '');
    const isBegun = once(app.server, 'request');
    socket.write(requestHead('GET', '/long'));
    await isBegun;
    const closed = app.close();
    await isClosing;
    const isArrived = once(app.server, 'request');
    socket.write(requestHead('GET', `${BASE}/nothing`));
    await isArrived;
    finish();
    await closed;
    expect(await text).toMatch(/longHTTP\/1\.1 404 .*X-RateLimit-Limit.*"error":"NOT_FOUND"/s);
  });

  it('works with inject', async () => {
    const { app } = await serve();
    const response = await app.inject({ url: `${BASE}/applications/ej_app_1` });
    expect(response.json()).toMatchObject({ id: 'ej_app_1' });
  });
});
