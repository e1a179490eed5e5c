import { SELF_SERVICE_PRESET, StorageUnavailable } from '@partner-hiring/core';
import { WIRE_ERRORS } from '@partner-hiring/core/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { BASE, candidateFor, createCaller } from './caller.js';
import type { HttpUnderTest } from './fixture.js';
import { useFixture } from './fixture.js';
import { headerOf, jsonOf } from './raw-connection.js';
import { SELF_SERVICE_ROUTES } from './self-service-routes.js';

const UUID = '9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a10';

export function describeOutages(underTest: HttpUnderTest): void {
  describe('outages', () => {
    const fixture = useFixture(underTest);
    afterEach(() => fixture.storage.fail(null));

    it.each([
      ['503 SERVICE_UNAVAILABLE', new StorageUnavailable('down'), '5'],
      ['500 INTERNAL_ERROR', new Error('a secret of ours'), null],
    ])('%s, and nothing of the cause', async (expected, failure, retryAfter) => {
      const { get, submit, jobId } = await createCaller(fixture);
      fixture.storage.fail(failure);
      for (const ask of [() => get('/jobs'), () => get('/nothing'), () => submit(candidateFor(jobId))]) {
        const response = await ask();
        expect(`${response.status} ${String(jsonOf(response).error)}`).toBe(expected);
        expect(headerOf(response, 'Retry-After')).toBe(retryAfter);
        expect(headerOf(response, 'X-RateLimit-Limit')).not.toBeNull();
        expect(response.body.toString()).not.toContain(failure.message);
      }
      fixture.storage.fail(null);
      expect((await submit(candidateFor(jobId))).status).toBe(201);
    });
  });
}

export function describeOutagesOfSelfService(underTest: HttpUnderTest): void {
  describe('outages of what partners do themselves', () => {
    const fixture = useFixture(underTest, {
      selfService: { ...SELF_SERVICE_PRESET, url: true, rotateSecret: true },
      limits: { webhook_endpoint: 100 },
    });
    afterEach(() => fixture.storage.fail(null));

    // The first call of a request admits its key. The next one is made by the route.
    it.each([
      ['at once', 0],
      ['after the key was read', 1],
    ])('503 with Retry-After on every route if the storage fails %s', async (_when, after) => {
      const { authorization } = await createCaller(fixture);
      const json = ['Content-Type', 'application/json'] as const;
      const routes = [...SELF_SERVICE_ROUTES, { method: 'GET', path: '/events', body: undefined }];
      for (const { method, path, body } of routes) {
        fixture.storage.fail(new StorageUnavailable('down'), after);
        const fields = body === undefined ? [authorization] : [authorization, json];
        const parts = { method, target: BASE + path, fields };
        const response = await fixture.ask(body === undefined ? parts : { ...parts, body });
        expect([method, path, response.status, jsonOf(response)]).toEqual([
          method,
          path,
          503,
          { error: 'SERVICE_UNAVAILABLE', message: WIRE_ERRORS.SERVICE_UNAVAILABLE.message },
        ]);
        expect(headerOf(response, 'Retry-After')).toBe('5');
        expect(headerOf(response, 'Content-Type')).toBe('application/json');
        expect(headerOf(response, 'X-RateLimit-Limit')).not.toBeNull();
      }
    });
  });
}

export function describeSlowStorage(underTest: HttpUnderTest): void {
  // Waits as long as the tests of slow bodies, which run at the same time.
  describe.concurrent('a slow storage', () => {
    const fixture = useFixture(underTest);

    it('409 IDEMPOTENCY_KEY_IN_PROGRESS while the first request with the key takes too long', async () => {
      const { submit, jobId } = await createCaller(fixture);
      const body = candidateFor(jobId);
      const release = fixture.storage.hold();
      const first = submit(body, UUID);
      const second = await submit(body, UUID);
      release();
      expect([second.status, jsonOf(second).error]).toEqual([409, 'IDEMPOTENCY_KEY_IN_PROGRESS']);
      expect(headerOf(second, 'Retry-After')).toBe('1');
      const { status, body: bytes } = await first;
      const third = await submit(body, UUID);
      expect([status, third.status, third.body]).toEqual([201, 201, bytes]);
    });
  });
}
