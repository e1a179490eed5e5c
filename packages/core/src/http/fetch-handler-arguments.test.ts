import { createHandlerUnderTest } from '@partner-hiring/test-support/servers/handler';
import { describe, expect, it } from 'vitest';
import { createFetchHandler } from './fetch-handler.js';

const JOBS = 'https://api.example.org/api/v1/external/jobs';

describe('arguments of the host', () => {
  it('throws with the fix if the handler is missing', () => {
    const { handler } = createHandlerUnderTest();
    const misconfigured = expect.objectContaining({
      code: 'MISCONFIGURED',
      message: expect.stringContaining('`createFetchHandler(partnerHiring.handler)`'),
    });
    for (const given of [{ handler }, undefined]) {
      expect(() => createFetchHandler(given as never)).toThrow(misconfigured);
    }
  });

  it.each([null, 'x-real-ip', { clientAddress: 'x-real-ip' }, { clientAddress: null }])(
    'throws with the fix if the options are not valid: %j',
    (options) => {
      const { handler } = createHandlerUnderTest();
      expect(() => createFetchHandler(handler, options as never)).toThrow(
        expect.objectContaining({
          code: 'MISCONFIGURED',
          message: expect.stringContaining('`{ clientAddress: (request) => '),
        }),
      );
    },
  );

  it.each([
    ['nothing', undefined],
    ['null', null],
    ["Hono's context", { req: { raw: new Request(JOBS) } }],
    ["Hono's own request", { method: 'GET', url: JOBS, raw: new Request(JOBS) }],
    ["Node's request", { method: 'GET', url: '/jobs', headers: { host: 'x' } }],
    ['a URL', new URL(JOBS)],
  ])('rejects with the fix if it is called with %s', async (_, given) => {
    const { handler, asked } = createHandlerUnderTest();
    const fetch = createFetchHandler(handler);
    await expect(fetch(given as never)).rejects.toMatchObject({
      code: 'MISCONFIGURED',
      message: expect.stringContaining('`(c) => partnerHiring.fetch(c.req.raw)`'),
    });
    expect(asked.admissions).toEqual([]);
  });

  it('sends 500 and logs the cause if `clientAddress` throws', async () => {
    const { handler, logged } = createHandlerUnderTest();
    const serve = createFetchHandler(handler, {
      clientAddress: () => {
        throw new Error('no connection');
      },
    });
    expect((await serve(new Request(JOBS))).status).toBe(500);
    expect(logged).toMatchObject([{ fields: { err: { message: 'no connection' } } }]);
  });

  it.each([() => Promise.reject(new Error('no connection')), () => 7])(
    'sends 500 and logs the fix if `clientAddress` does not return text',
    async (clientAddress) => {
      const { handler, logged } = createHandlerUnderTest();
      const serve = createFetchHandler(handler, { clientAddress: clientAddress as never });
      expect((await serve(new Request(JOBS))).status).toBe(500);
      const message = expect.stringContaining('`clientAddress`');
      expect(logged).toMatchObject([{ fields: { err: { name: 'OperatorError', message } } }]);
    },
  );

  it.each([undefined, null])('uses the shared address if `clientAddress` returns %s', async (none) => {
    const { handler, asked } = createHandlerUnderTest();
    const serve = createFetchHandler(handler, { clientAddress: () => none as never });
    await serve(new Request(JOBS));
    expect(asked.admissions).toMatchObject([{ clientAddress: 'unknown' }]);
  });
});
