import { createHandlerUnderTest, neutralRequest } from '@partner-hiring/test-support/servers/handler';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { WIRE_ERRORS } from '../domain/wire-errors.js';

const UUID = '9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a10';
const STATUSES = new Set<number>([200, 201, ...Object.values(WIRE_ERRORS).map(({ status }) => status)]);

const method = fc.oneof(fc.constantFrom('GET', 'HEAD', 'POST'), fc.string());
const parameter = fc
  .tuple(fc.constantFrom('limit', 'cursor', 'updated_since', 'company_id', 'status', 'x'), fc.string())
  .map(([name, value]) => `${name}=${value}`);
const target = fc.oneof(
  fc
    .tuple(fc.constantFrom('/jobs', '/applications', '/applications/'), fc.string(), fc.array(parameter))
    .map(([path, rest, query]) => `/api/v1/external${path}${rest}?${query.join('&')}`),
  fc.string({ unit: 'binary' }),
);
const headers = fc.record({
  'content-type': fc.oneof(fc.constant('application/json'), fc.string()),
  'content-length': fc.oneof(fc.constant('0'), fc.string()),
  'idempotency-key': fc.oneof(fc.constant(UUID), fc.string(), fc.array(fc.string())),
  authorization: fc.array(fc.string()),
});
const body = fc.oneof(fc.uint8Array(), fc.json(), fc.string({ unit: 'binary' }));

it('never rejects, and always sends a documented code, rate headers and a request id', async () => {
  const { handler, logged } = createHandlerUnderTest();
  await fc.assert(
    fc.asyncProperty(method, target, headers, body, async (verb, where, fields, bytes) => {
      const reply = await handler(neutralRequest(verb, where, { headers: fields, body: bytes }));
      expect(STATUSES).toContain(reply.status);
      expect(reply.status).toBeLessThan(500);
      for (const name of ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']) {
        expect(reply.headers[name]).toMatch(/^\d+$/);
      }
      expect(reply.headers['X-Request-Id']).toMatch(/^request-\d+$/);
      if (verb !== 'HEAD') expect(() => JSON.parse(reply.body)).not.toThrow();
      expect(logged).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
