import { requestHead, sendRaw } from '@partner-hiring/test-support/network/raw-server';
import { BASE, serve } from '@partner-hiring/test-support/servers/fastify-server';
import { createHandlerUnderTest } from '@partner-hiring/test-support/servers/handler';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { partnerHiringFastify } from './index.js';

describe('requests and replies', () => {
  it('keeps two Authorization fields separate', async () => {
    const { port, asked } = await serve();
    const fields = ['Authorization: Bearer a', 'authorization: Bearer b', 'Connection: close'];
    await sendRaw(port, [requestHead('GET', `${BASE}/jobs`, ...fields)]);
    expect(asked.admissions[0]?.authorization).toEqual(['Bearer a', 'Bearer b']);
  });

  it('uses the client address that Fastify trusts', async () => {
    const { fetch, asked } = await serve({ app: Fastify({ trustProxy: true }) });
    await fetch(`${BASE}/jobs`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(asked.admissions[0]?.clientAddress).toBe('203.0.113.9');
  });
});

describe('where it is mounted', () => {
  it('works under a prefix', async () => {
    const { fetch } = await serve({ prefix: '/hiring' });
    expect((await fetch(`/hiring${BASE}/jobs?limit=2`)).status).toBe(200);
    expect((await fetch(`${BASE}/jobs`)).headers.get('x-request-id')).toBeNull();
  });

  it('works under a prefix with an absolute URL as the target', async () => {
    const { port } = await serve({ prefix: '/hiring' });
    const target = `http://elsewhere.example/hiring${BASE}/jobs`;
    expect(await sendRaw(port, [requestHead('GET', target, 'Connection: close')])).toMatch(
      /^HTTP\/1\.1 200 /,
    );
  });

  it.each(['/api/v1/external', '/hiring/api/v1/external/'])(
    'the base path as a prefix, which would serve it below itself, is refused: %s',
    async (prefix) => {
      const message = expect.stringContaining('Mount it without "/api/v1/external"');
      await expect(serve({ prefix })).rejects.toMatchObject({ code: 'MISCONFIGURED', message });
    },
  );

  it.each([
    ['the application, as where it is registered without a call', Fastify()],
    ['a promise', Promise.resolve()],
    ['nothing', undefined],
  ])('names the fix when it is called with %s', (_what, given) => {
    const message = '`partnerHiringFastify(partnerHiring)`';
    expect(() => partnerHiringFastify(given as never)).toThrow(message);
  });

  it('rejects a prefix with parameters', async () => {
    const { handler } = createHandlerUnderTest();
    const app = Fastify();
    await expect(app.register(partnerHiringFastify({ handler }), { prefix: '/:tenant' })).rejects.toThrow(
      /without parameters or wildcards/,
    );
  });
});
