import { createHandlerUnderTest } from '@partner-hiring/test-support/servers/handler';
import { describe, expect, it } from 'vitest';

describe('paths and methods (decision 5)', () => {
  it.each([
    '',
    '/',
    '/Jobs',
    '/Applications/ej_app_1',
    '/jobs/',
    '/job%73',
    '/applications/',
    '/applications/ej_app_1/',
    '/applications/ej_app_1/more',
    '/../jobs',
  ])('%j gets 404 NOT_FOUND', async (path) => {
    const reply = await createHandlerUnderTest().send('GET', path);
    expect([reply.status, JSON.parse(reply.body).error]).toEqual([404, 'NOT_FOUND']);
  });

  it('sends 404 outside the base path', async () => {
    const { handler } = createHandlerUnderTest();
    for (const target of ['/jobs', '/api/v1/externaljobs', '*', '', 'jobs']) {
      const request = { method: 'GET', target, clientAddress: '', headerValues: () => [] };
      expect((await handler({ ...request, readBody: async () => 'broken_off' })).status).toBe(404);
    }
  });

  it.each([
    ['POST', '/jobs', 'GET, HEAD'],
    ['OPTIONS', '/jobs', 'GET, HEAD'],
    ['get', '/jobs', 'GET, HEAD'],
    ['PUT', '/applications', 'GET, HEAD, POST'],
    ['DELETE', '/applications/ej_app_1', 'GET, HEAD'],
    ['constructor', '/applications', 'GET, HEAD, POST'],
  ])('%s %s gets 405 METHOD_NOT_ALLOWED with Allow: %s', async (method, path, allow) => {
    const reply = await createHandlerUnderTest().send(method, path);
    expect([reply.status, JSON.parse(reply.body).error]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(reply.headers.Allow).toBe(allow);
  });

  it.each(['/jobs', '/applications', '/applications/ej_app_1', '/applications/ej_app_none!'])(
    'HEAD %s is GET without the body',
    async (path) => {
      const get = await createHandlerUnderTest().send('GET', path);
      const head = await createHandlerUnderTest().send('HEAD', path);
      expect(head).toEqual({ ...get, body: '' });
      expect(Number(head.headers['Content-Length'])).toBeGreaterThan(0);
    },
  );

  it('accepts a whole URL as the target', async () => {
    const { handler, asked } = createHandlerUnderTest();
    const target = 'https://api.example.org/api/v1/external/jobs?limit=7#part';
    const request = { method: 'GET', target, clientAddress: '', headerValues: () => [] };
    expect((await handler({ ...request, readBody: async () => 'broken_off' })).status).toBe(200);
    expect(asked.queries[0]?.limit).toBe(7);
  });

  it('serves another base path', async () => {
    const { handler, send } = createHandlerUnderTest({}, { basePath: '/partners/' });
    expect(handler.basePath).toBe('/partners');
    expect((await send('GET', '/jobs')).status).toBe(200);
  });

  it.each(['api', '/a b', '/a?b', '//', '/a/:id'])('throws for the base path %j', (basePath) => {
    expect(() => createHandlerUnderTest({}, { basePath })).toThrow(
      expect.objectContaining({ code: 'MISCONFIGURED' }),
    );
  });

  it.each([0, -1, 1.5, Number.NaN])('throws for a body limit of %d', (maxBodyBytes) => {
    expect(() => createHandlerUnderTest({}, { maxBodyBytes })).toThrow(
      expect.objectContaining({ code: 'MISCONFIGURED' }),
    );
  });
});
