import { once } from 'node:events';
import { fingerprintOf } from '@partner-hiring/test-support/client/fake-partner-api';
import { lastHead, requestHead, sendRaw } from '@partner-hiring/test-support/network/raw-server';
import { EXPRESS } from '@partner-hiring/test-support/servers/express-name';
import { BASE, listen, serve } from '@partner-hiring/test-support/servers/express-server';
import { createHandlerUnderTest } from '@partner-hiring/test-support/servers/handler';
import express from 'express';
import { describe, expect, it } from 'vitest';
import { partnerHiringExpress } from './index.js';

describe(EXPRESS, () => {
  describe('requests and replies', () => {
    it('keeps two Authorization fields separate', async () => {
      const app = express();
      const { port, asked } = await serve(app, (middleware) => app.use(middleware));
      const fields = ['Authorization: Bearer a', 'authorization: Bearer b'];
      await sendRaw(port, [lastHead('GET', `${BASE}/jobs`, ...fields)]);
      expect(asked.admissions[0]?.authorization).toEqual(['Bearer a', 'Bearer b']);
    });

    it.each([
      [false, '127.0.0.1'],
      [true, '203.0.113.9'],
    ])("the caller's address, with `trust proxy` %s", async (trusted, address) => {
      const app = express().set('trust proxy', trusted);
      const { fetch, asked } = await serve(app, (middleware) => app.use(middleware));
      await fetch(`${BASE}/jobs`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
      expect(asked.admissions[0]?.clientAddress).toBe(address);
    });
  });

  describe('where it is mounted', () => {
    it.each([
      '/',
      '/api/v1',
      '/api/v1/externals/jobs',
      '/API/v1/external/jobs',
      '/elsewhere?/api/v1/external/',
      `/x/..${BASE}x/jobs`,
      `/x/..;${BASE}/jobs`,
    ])('does not serve %s', async (path) => {
      const app = express();
      const { port } = await serve(app, (middleware) => app.use(middleware));
      app.use((_request, response) => void response.status(418).end());
      expect(await sendRaw(port, [lastHead('GET', path)])).toMatch(/^HTTP\/1\.1 418 /);
    });

    it('serves only its prefix, which may be a pattern', async () => {
      const app = express();
      const { port, asked } = await serve(app, (middleware) =>
        app.use(['/hiring', '/of/:tenant'], middleware),
      );
      const statusOf = async (target: string) =>
        (await sendRaw(port, [lastHead('GET', target)])).slice(9, 12);
      expect(await statusOf(`/hiring${BASE}/jobs?limit=2`)).toBe('200');
      expect(await statusOf(`http://elsewhere.example/hiring${BASE}/jobs?limit=3`)).toBe('200');
      expect(await statusOf(`/of/acme${BASE}/jobs?limit=4`)).toBe('200');
      expect(asked.admissions).toHaveLength(3);
      expect(await statusOf(`${BASE}/jobs`)).toBe('404');
      expect(asked.admissions).toHaveLength(3);
    });

    it('works in a router', async () => {
      const app = express();
      const router = express.Router();
      app.use('/hiring', router);
      const { fetch } = await serve(app, (middleware) => router.use(middleware));
      expect((await fetch(`/hiring${BASE}/applications/ej_app_1`)).status).toBe(200);
    });
  });

  describe('the surrounding application', () => {
    it('keeps its parsers and routes', async () => {
      const app = express();
      const { fetch, post } = await serve(app, (middleware) => app.use(middleware, express.json()));
      app.post('/echo', (request, response) => void response.json({ got: request.body }));
      const headers = { 'content-type': 'application/json' };
      const echoed = await fetch('/echo', { method: 'POST', headers, body: '{"a":1}' });
      expect(await echoed.json()).toEqual({ got: { a: 1 } });
      expect((await post('{}')).status).toBe(201);
    });

    it('keeps headers of its middleware unless the API sets them', async () => {
      const app = express();
      app.use((_request, response, next) => {
        response.set({
          'Strict-Transport-Security': 'max-age=1',
          'X-Request-Id': 'theirs',
          'X-Powered-By': 'us',
        });
        next();
      });
      const { fetch } = await serve(app, (middleware) => app.use(middleware));
      const { headers } = await fetch(`${BASE}/nothing`);
      expect(headers.get('strict-transport-security')).toBe('max-age=1');
      expect(headers.get('x-request-id')).toBe('request-1');
      expect(headers.get('x-powered-by')).toBe('us');
    });

    it('keeps the body while slow middleware runs', async () => {
      const app = express();
      app.use((_request, _response, next) => void setTimeout(next, 20));
      const { post, asked } = await serve(app, (middleware) => app.use(middleware));
      expect((await post(' '.repeat(900))).status).toBe(201);
      expect(asked.submissions[0]?.fingerprint).toBe(fingerprintOf(' '.repeat(900)));
    });

    it('keeps the body while middleware pauses the request', async () => {
      const app = express();
      app.use((request, _response, next) => {
        request.pause();
        setTimeout(next, 20);
      });
      const { post, asked } = await serve(app, (middleware) => app.use(middleware));
      expect((await post(' '.repeat(900))).status).toBe(201);
      expect(asked.submissions[0]?.fingerprint).toBe(fingerprintOf(' '.repeat(900)));
    });

    it('keeps the reply of middleware, and the connection', async () => {
      const app = express();
      const { handler } = createHandlerUnderTest();
      const isAskedNext = new AbortController();
      const slow = async (request: Parameters<typeof handler>[0]) => {
        await once(isAskedNext.signal, 'abort');
        return handler(request);
      };
      app.use(BASE, (_request, response, next) => {
        next();
        response.status(503).send('too late');
      });
      app.use(partnerHiringExpress({ handler: Object.assign(slow, { basePath: BASE }) }));
      app.get('/next', (_request, response) => {
        isAskedNext.abort();
        setTimeout(() => response.send('the next'), 50);
      });
      const errors: unknown[] = [];
      app.use((error: unknown, _request: unknown, _response: unknown, next: (error: unknown) => void) => {
        errors.push(error);
        next(error);
      });
      const text = await sendRaw(await listen(app), [
        requestHead('GET', `${BASE}/jobs`),
        lastHead('GET', '/next'),
      ]);
      expect(text).toMatch(/^HTTP\/1\.1 503 .*too lateHTTP\/1\.1 200 .*the next$/s);
      expect(errors).toEqual([]);
    });
  });
});
