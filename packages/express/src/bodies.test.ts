import { once } from 'node:events';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { finished } from 'node:stream/promises';
import { fingerprintOf } from '@partner-hiring/test-support/client/fake-partner-api';
import { lastHead, sendRaw } from '@partner-hiring/test-support/network/raw-server';
import {
  serveBehindPlatform,
  UNUSABLE_RAW_BODIES,
} from '@partner-hiring/test-support/servers/body-reading-platform';
import { EXPRESS } from '@partner-hiring/test-support/servers/express-name';
import {
  BASE,
  listen,
  MAX_BODY_BYTES,
  POSTED,
  serve,
} from '@partner-hiring/test-support/servers/express-server';
import { createHandlerUnderTest } from '@partner-hiring/test-support/servers/handler';
import express, { type Express } from 'express';
import { describe, expect, it, vi } from 'vitest';
import { partnerHiringExpress } from './index.js';

describe(EXPRESS, () => {
  describe('returns 500 when other code has read the body, and logs the fix', () => {
    const parsers: readonly (readonly [string, (app: Express) => void])[] = [
      [
        'a parser without a name',
        (app) => app.use((request, response, next) => express.json()(request, response, next)),
      ],
      [
        'one that read it to its end',
        (app) =>
          app.use(async (request, _response, next) => {
            await finished(request.resume());
            next();
          }),
      ],
      [
        'one that is still reading',
        (app) => app.use((request, _response, next) => void next(void request.resume())),
      ],
      [
        'one that has its bytes made text',
        (app) => app.use((request, _response, next) => void next(void request.setEncoding('utf8'))),
      ],
    ];
    it.each(parsers)('%s', async (_, use) => {
      const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
      const app = express();
      use(app);
      const { post, logged, asked } = await serve(app, (middleware) => app.use(middleware));
      for (const _time of [1, 2]) {
        const response = await post('{"jobId":"job_1"}');
        expect(response.status).toBe(500);
        expect(response.headers.get('x-ratelimit-limit')).not.toBeNull();
        expect(await response.json()).toMatchObject({ error: 'INTERNAL_ERROR' });
      }
      expect(asked.submissions).toEqual([]);
      expect(logged[0]).toMatchObject({
        level: 'error',
        fields: {
          err: { name: 'OperatorError', message: expect.stringContaining('Mount it before the body') },
        },
      });
      expect(warn.mock.calls).toEqual([
        [
          expect.stringContaining('Mount it before the body'),
          { type: 'PartnerHiringWarning', code: 'MISCONFIGURED' },
        ],
      ]);
    });

    it('express.json() before a router with the middleware', async () => {
      vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
      const app = express();
      const router = express.Router();
      app.use(express.json(), router);
      const { post, asked } = await serve(app, (middleware) => router.use(middleware));
      expect((await post('{"jobId":"job_1"}')).status).toBe(500);
      expect(asked.submissions).toEqual([]);
    });

    it('requests without a body still work', async () => {
      const app = express();
      app.use((request, response, next) => express.json()(request, response, next));
      const { fetch } = await serve(app, (middleware) => app.use(middleware));
      expect((await fetch(`${BASE}/applications/ej_app_1`)).status).toBe(200);
      expect((await fetch(`${BASE}/applications`, { method: 'POST', headers: POSTED })).status).toBe(201);
    });

    it('requests without a body still work after middleware has awaited their end', async () => {
      const app = express();
      app.use(async (request, _response, next) => {
        await finished(request.resume());
        next();
      });
      const { port } = await serve(app, (middleware) => app.use(middleware));
      const fields = Object.entries(POSTED).map(([name, value]) => `${name}: ${value}`);
      const text = await sendRaw(port, [lastHead('POST', `${BASE}/applications`, ...fields)]);
      expect(text).toMatch(/^HTTP\/1\.1 201 /);
    });
  });

  describe('behind a platform that has read the body', () => {
    const postTo = (origin: string, body: string, headers = {}) =>
      fetch(`${origin}${BASE}/applications`, { method: 'POST', headers: { ...POSTED, ...headers }, body });
    const create = () => {
      vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
      const underTest = createHandlerUnderTest({}, { maxBodyBytes: MAX_BODY_BYTES });
      return { ...underTest, app: express().use(partnerHiringExpress(underTest)) };
    };

    it.each([
      ['a Buffer', (bytes: Buffer) => bytes],
      ['a Uint8Array', (bytes: Buffer) => new Uint8Array(bytes)],
    ])('takes the exact bytes from `rawBody` if it is %s', async (_, keep) => {
      const { app, asked } = create();
      const body = '{ "a": "é" }';
      expect((await postTo(await serveBehindPlatform(app, keep), body)).status).toBe(201);
      expect(asked.submissions[0]?.fingerprint).toBe(fingerprintOf(body));
    });

    it('applies the rules for size, content type and content encoding to `rawBody`', async () => {
      const { app, asked } = create();
      const origin = await serveBehindPlatform(app);
      expect((await postTo(origin, ' '.repeat(MAX_BODY_BYTES + 1))).status).toBe(413);
      expect((await postTo(origin, '{}', { 'content-type': 'text/plain' })).status).toBe(415);
      expect((await postTo(origin, '{}', { 'content-encoding': 'gzip' })).status).toBe(415);
      expect(asked.submissions).toEqual([]);
      expect((await postTo(origin, ' '.repeat(MAX_BODY_BYTES))).status).toBe(201);
    });

    it.each(UNUSABLE_RAW_BODIES)('returns 500 if `rawBody` is %s', async (_, keep) => {
      const { app, asked } = create();
      expect((await postTo(await serveBehindPlatform(app, keep), '{"a":1}')).status).toBe(500);
      expect(asked.submissions).toEqual([]);
    });

    it('takes the bytes that the `verify` function of a parser has kept', async () => {
      const { handler, asked } = create();
      const verify = (raw: object, _response: unknown, rawBody: Buffer) =>
        void Object.assign(raw, { rawBody });
      const router = express.Router().use(partnerHiringExpress({ handler }));
      const origin = `http://127.0.0.1:${await listen(express().use(express.json({ verify }), router))}`;
      expect((await postTo(origin, '{ "a":1 }')).status).toBe(201);
      expect(asked.submissions[0]?.fingerprint).toBe(fingerprintOf('{ "a":1 }'));
    });
  });
});

it('rejects an HTTP/2 body that was read before', async () => {
  const { handler, asked } = createHandlerUnderTest();
  const middleware = partnerHiringExpress({ handler });
  // Express speaks HTTP/1; HTTP/2 bridges pass requests of Node's compatibility API.
  const server = createHttp2Server((request, response) =>
    middleware(request as never, response as never, (error) => response.destroy(error as Error)),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const stream = session.request({ ':method': 'POST', ':path': `${BASE}/applications`, ...POSTED });
  stream.end('{"a":1}');
  const [headers] = await once(stream, 'response');
  expect(headers).toMatchObject({ ':status': 201 });
  expect(asked.submissions[0]?.fingerprint).toBe(fingerprintOf('{"a":1}'));
  session.destroy();
  server.close();
});
