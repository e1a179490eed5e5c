import { createHandlerUnderTest } from '@partner-hiring/test-support/servers/handler';
import { describe, expect, it } from 'vitest';
import { createSecret } from '../domain/partner-key.js';
import { StorageUnavailable } from '../errors.js';

const SECRET = createSecret('production', new Uint8Array(32));

const ROUTES = [
  ['GET', '/jobs'],
  ['GET', '/applications'],
  ['POST', '/applications'],
  ['GET', '/applications/ej_app_1'],
  ['GET', '/nothing'],
] as const;

describe('failures on our side (decision 5)', () => {
  it('get 503 SERVICE_UNAVAILABLE with Retry-After and the expected bucket while the storage is down', async () => {
    const { send, logged } = createHandlerUnderTest({
      admit: () => Promise.reject(new StorageUnavailable('down', { cause: new Error('ECONNREFUSED') })),
    });
    const reply = await send('GET', '/jobs', { headers: { authorization: [`Bearer ${SECRET}`] } });
    expect([reply.status, JSON.parse(reply.body).error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    // The text also fits a GET, which has no idempotency key.
    expect(JSON.parse(reply.body).message).toMatch(
      /request again\. A submission keeps its Idempotency-Key\.$/,
    );
    expect(reply.headers).toMatchObject({
      'Retry-After': expect.stringMatching(/^[1-9]\d*$/),
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': '60',
      'X-Request-Id': 'request-1',
    });
    expect(logged).toMatchObject([
      { level: 'error', fields: { requestId: 'request-1', err: { cause: { message: 'ECONNREFUSED' } } } },
    ]);
  });

  it.each([
    ['none', []],
    ['another scheme', [`Basic ${SECRET}`]],
    ['what can be no key', ['Bearer pek_live_junk']],
    ['two keys', [`Bearer ${SECRET}`, `Bearer ${SECRET}`]],
  ])(
    'get the bucket of the address while the storage is down and there is no well-formed key (%s)',
    async (_, authorization) => {
      const { send } = createHandlerUnderTest({
        admit: () => Promise.reject(new StorageUnavailable('down')),
      });
      for (const [method, path] of ROUTES) {
        const { status, headers } = await send(method, path, { headers: { authorization } });
        expect([status, headers['X-RateLimit-Limit'], headers['X-RateLimit-Remaining']]).toEqual([
          503,
          '120',
          '120',
        ]);
      }
    },
  );

  it('keeps the rate headers of a counted request that fails later', async () => {
    const { send } = createHandlerUnderTest({
      listJobs: () => Promise.reject(new StorageUnavailable('down')),
    });
    expect((await send('GET', '/jobs')).headers['X-RateLimit-Remaining']).toBe('59');
  });

  it('get 500 INTERNAL_ERROR with a fixed body for any other failure, and the cause is logged', async () => {
    const cause = Object.assign(new Error('boom'), { parameters: ['ada@example.org'], code: 'XX000' });
    const { send, logged } = createHandlerUnderTest({ readApplication: () => Promise.reject(cause) });
    const reply = await send('GET', '/applications/ej_app_1');
    expect(reply.status).toBe(500);
    expect(JSON.parse(reply.body)).toEqual({ error: 'INTERNAL_ERROR', message: expect.any(String) });
    expect(reply.body).not.toContain('boom');
    expect(logged).toMatchObject([{ fields: { err: { message: 'boom', code: 'XX000' } } }]);
    expect(JSON.stringify(logged)).not.toContain('ada@example.org');
  });

  it('does not reject if something throws a value, or the logger throws', async () => {
    const throwing = () => {
      throw new Error('The log is full.');
    };
    const logger = { debug: throwing, info: throwing, warn: throwing, error: throwing };
    const { send } = createHandlerUnderTest({ listJobs: () => Promise.reject('a text') }, { logger });
    expect((await send('GET', '/jobs')).status).toBe(500);
  });
});
