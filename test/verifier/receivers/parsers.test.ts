/** Receivers behind code that has read the body. */

import { partnerWebhooksFetch } from '@partner-hiring/webhook-verifier/fetch';
import express, { type Express, type RequestHandler } from 'express';
import { Hono } from 'hono';
import { describe, expect, test, vi } from 'vitest';
import { EXPRESS } from '../../support/servers/express-name.js';
import { EVENT, headersOf, recording, send } from './deliveries.js';
import { mountExpress, mountFastify, mountFetch } from './frameworks.js';

const PARSED = { status: 400, body: '{"reason":"body_was_parsed"}' };

describe(EXPRESS, () => {
  const mount = (options: ReturnType<typeof recording>['options'], prepare: (app: Express) => void) =>
    mountExpress(options, prepare);

  test('rejects behind express.json(), with a hint where to mount it', async () => {
    const { options, events, refusals } = recording();
    const { port } = await mount(options, (app) => app.use(express.json()));
    expect(await send(port)).toMatchObject(PARSED);
    expect(events).toEqual([]);
    expect(refusals[0]?.hint).toContain('Mount partnerWebhooksExpress before app.use(express.json())');
  });

  test('rejects behind express.urlencoded() that parsed it as a form', async () => {
    const { options } = recording();
    const { port } = await mount(options, (app) => app.use(express.urlencoded({ extended: true })));
    const headers = { ...(await headersOf()), 'Content-Type': 'application/x-www-form-urlencoded' };
    expect(await send(port, { headers })).toMatchObject(PARSED);
  });

  test.each<[string, () => RequestHandler]>([
    ['express.raw() of its type', () => express.raw({ type: 'application/json' })],
    ['express.text() of its type', () => express.text({ type: 'application/json' })],
    ['parsers of other types', () => express.json({ type: 'application/other' })],
    [
      'express.json() that keeps rawBody',
      () =>
        express.json({ verify: (request, _response, bytes) => Object.assign(request, { rawBody: bytes }) }),
    ],
    [
      'middleware that sets an empty body without reading',
      () => (request, _response, next) => {
        request.body = {};
        next();
      },
    ],
  ])('accepts behind %s', async (_what, parser) => {
    const { options, events } = recording();
    const { port } = await mount(options, (app) => app.use(parser()));
    expect(await send(port)).toMatchObject({ status: 204 });
    expect(events).toEqual([EVENT]);
  });

  test('fails instead of hanging when the request was aborted before', async () => {
    const { options, events, refusals } = recording();
    const { port, errors } = await mount(options, (app) =>
      app.use((request, _response, next) => {
        request.once('close', () => setImmediate(next));
        request.socket.destroy();
      }),
    );
    await expect(send(port)).rejects.toThrow();
    await vi.waitFor(() => expect(errors).toHaveLength(1), 60_000);
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining('was aborted') })]);
    expect([events, refusals]).toEqual([[], []]);
  });

  test('rejects instead of hanging when other code reads the stream', async () => {
    const { options } = recording();
    const { port } = await mount(options, (app) =>
      app.use((request, _response, next) => {
        request.resume();
        request.once('end', next);
      }),
    );
    expect(await send(port)).toMatchObject({ status: 400 });
  });
});

describe('Fastify', () => {
  test('keeps the JSON parser of other routes', async () => {
    const { options, events } = recording();
    const { port } = await mountFastify(options, (app) => {
      app.post('/jobs', async (request) => ({ got: request.body }));
    });
    const answer = await fetch(`http://127.0.0.1:${port}/jobs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
    });
    expect(await answer.json()).toEqual({ got: { a: 1 } });
    expect(await send(port)).toMatchObject({ status: 204 });
    expect(events).toEqual([EVENT]);
  });

  test('works with a catch-all content type parser of the application', async () => {
    const { options } = recording();
    const { port } = await mountFastify(options, (app) => {
      app.addContentTypeParser('*', { parseAs: 'string' }, async () => ({ parsed: true }));
    });
    expect(await send(port)).toMatchObject({ status: 204 });
  });

  test('rejects behind a hook that replaces the body, with a hint where to register it', async () => {
    const { options, refusals } = recording();
    const { port } = await mountFastify(options, (app) => {
      app.addHook('preValidation', async (request) => {
        request.body = { parsed: true };
      });
    });
    expect(await send(port)).toMatchObject(PARSED);
    expect(refusals[0]?.hint).toContain('register partnerWebhooksFastify beside, not below');
  });
});

describe('fetch handlers', () => {
  test('rejects behind c.req.json() of Hono, with a hint for c.req.raw', async () => {
    const { options, refusals } = recording();
    const receive = partnerWebhooksFetch(options);
    const app = new Hono();
    app.use(async (context, next) => {
      await context.req.json();
      await next();
    });
    app.post('/webhooks', (context) => receive(context.req.raw));
    const { port } = await mountFetch(app.fetch);
    expect(await send(port)).toMatchObject(PARSED);
    expect(refusals[0]?.hint).toContain('c.req.raw');
  });

  test('rejects behind request.json() of Next, with a hint for request.json()', async () => {
    const { options, refusals } = recording();
    const receive = partnerWebhooksFetch(options);
    const { port } = await mountFetch(async (request) => {
      await request.json();
      return receive(request);
    });
    expect(await send(port)).toMatchObject(PARSED);
    expect(refusals[0]?.hint).toContain('before request.json()');
  });

  test('rejects a request whose body other code is reading', async () => {
    const { options } = recording();
    const receive = partnerWebhooksFetch(options);
    const { port } = await mountFetch((request) => {
      request.body?.getReader();
      return receive(request);
    });
    expect(await send(port)).toMatchObject(PARSED);
  });

  test('accepts a clone of a request that was read', async () => {
    const { options, events } = recording();
    const receive = partnerWebhooksFetch(options);
    const { port } = await mountFetch(async (request) => {
      const copy = request.clone();
      await request.json();
      return receive(copy);
    });
    expect(await send(port)).toMatchObject({ status: 204 });
    expect(events).toEqual([EVENT]);
  });
});
