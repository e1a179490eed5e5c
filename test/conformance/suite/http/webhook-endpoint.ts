import { SELF_SERVICE_PRESET } from '@partner-hiring/core';
import { describe, expect, it } from 'vitest';
import { freshWindow } from '../fresh-window.js';
import { BASE, createCaller, JOB } from './caller.js';
import { type HttpUnderTest, useFixture } from './fixture.js';
import { headerOf, jsonOf, type RequestParts } from './raw-connection.js';
import { SELF_SERVICE_ROUTES } from './self-service-routes.js';

/** Accepts every event, without a network. */
const ACCEPTING = {
  post: async () => ({ kind: 'answered', status: 200, excerpt: '' }) as const,
  close: async () => {},
};

const JSON_BODY = ['Content-Type', 'application/json'] as const;

/** The routes of `/webhook-endpoint`, with every right. */
export function describeWebhookEndpoint(underTest: HttpUnderTest): void {
  describe('/webhook-endpoint', () => {
    const fixture = useFixture(underTest, {
      selfService: { ...SELF_SERVICE_PRESET, url: true, rotateSecret: true },
      limits: { webhook_endpoint: 100 },
      transport: ACCEPTING,
    });

    async function createOwner(environment?: 'production' | 'sandbox') {
      const caller = await createCaller(fixture, environment);
      const { authorization } = caller;
      const ask = (method: string, path: string, body?: unknown) => {
        const parts: RequestParts = {
          method,
          target: `${BASE}/webhook-endpoint${path}`,
          fields: [authorization],
        };
        if (body === undefined) return fixture.ask(parts);
        const text = typeof body === 'string' ? body : JSON.stringify(body);
        return fixture.ask({ ...parts, fields: [authorization, JSON_BODY], body: text });
      };
      return { ...caller, ask };
    }

    it('is set, shown, tested, paused, resumed and rotated', async () => {
      const { ask } = await createOwner();
      const url = 'https://ats.example/hooks';
      const created = await ask('PUT', '', { url });
      expect([created.status, jsonOf(created).url]).toEqual([201, url]);
      expect(jsonOf(created).signingSecret).toMatch(/^whsec_/);
      const shown = await ask('GET', '');
      expect([shown.status, jsonOf(shown).state]).toEqual([200, 'active']);
      expect(headerOf(shown, 'X-RateLimit-Limit')).toBe('100');
      const head = await ask('HEAD', '');
      expect([head.status, head.body.byteLength]).toEqual([200, 0]);
      expect(jsonOf(await ask('POST', '/test', ''))).toMatchObject({ delivered: true, failure: null });
      expect(jsonOf(await ask('POST', '/pause', {}))).toMatchObject({
        state: 'paused',
        pausedReason: 'partner',
      });
      expect(jsonOf(await ask('POST', '/resume', { retryNow: true }))).toMatchObject({ state: 'active' });
      const rotated = await ask('POST', '/rotate-secret', { overlapSeconds: 60 });
      expect(jsonOf(rotated).signingSecret).not.toBe(jsonOf(created).signingSecret);
    });

    it('lists deliveries, and resends events', async () => {
      const { ask, companyId } = await createOwner();
      await ask('PUT', '', { url: 'https://ats.example/hooks' });
      await fixture.operator.jobs.publish({ companyId, ...JOB });
      const list = await ask('GET', '/deliveries?limit=1&state=pending');
      const [delivery] = jsonOf(list).data as { readonly eventId: string; readonly type: string }[];
      expect([list.status, delivery?.type]).toEqual([200, 'job.opened']);
      const resent = await ask('POST', `/deliveries/${delivery?.eventId}/resend`, {});
      expect([resent.status, jsonOf(resent).state]).toEqual([200, 'pending']);
      const since = await ask('POST', '/resend', { since: '2026-01-01T00:00:00Z' });
      expect([since.status, jsonOf(since)]).toEqual([
        202,
        { since: '2026-01-01T00:00:00.000Z', state: 'running' },
      ]);
    });

    it('belongs to one key: that of the sandbox has its own, with its own deliveries', async () => {
      const [live, test] = [await createOwner(), await createOwner('sandbox')];
      await live.ask('PUT', '', { url: 'https://ats.example/live' });
      await test.ask('PUT', '', { url: 'https://ats.example/test' });
      await fixture.operator.jobs.publish({ companyId: test.companyId, ...JOB });
      expect(jsonOf(await live.ask('GET', '')).url).toBe('https://ats.example/live');
      expect(jsonOf(await test.ask('GET', '')).url).toBe('https://ats.example/test');
      expect(jsonOf(await live.ask('GET', '/deliveries')).data).toEqual([]);
      const [delivery] = jsonOf(await test.ask('GET', '/deliveries')).data as { readonly eventId: string }[];
      const resend = `/deliveries/${delivery?.eventId}/resend`;
      expect((await live.ask('POST', resend, {})).status).toBe(422);
      expect((await test.ask('POST', resend, {})).status).toBe(200);
      expect(jsonOf(await test.ask('POST', '/test', {}))).toMatchObject({ delivered: true });
      await test.ask('POST', '/pause', {});
      expect(jsonOf(await live.ask('GET', '')).state).toBe('active');
    });

    it('refuses other methods, callers without a key, and bodies that no route accepts', async () => {
      const { authorization } = await createCaller(fixture);
      const refuse = async (
        { method, path }: (typeof SELF_SERVICE_ROUTES)[number],
        body: string,
        type: string,
      ) => {
        const fields = [authorization, ['Content-Type', type] as const];
        return (await fixture.ask({ method, target: BASE + path, fields, body })).status;
      };
      const statuses: unknown[] = [];
      for (const route of SELF_SERVICE_ROUTES) {
        const parts = { method: route.method, target: BASE + route.path };
        const { status, headers } = await fixture.ask(parts);
        const other = await fixture.ask({ ...parts, method: 'DELETE', fields: [authorization] });
        expect(headerOf({ headers }, 'WWW-Authenticate')).toBe('Bearer');
        expect(headerOf(other, 'Allow')?.split(', ')).toContain(route.method);
        const bodies =
          route.body === undefined
            ? []
            : [
                await refuse(route, 'x'.repeat(20_000), 'application/json'),
                await refuse(route, '{}', 'text/plain'),
                await refuse(route, '[]', 'application/json'),
              ];
        statuses.push([route.path, status, other.status, ...bodies]);
      }
      const read = [401, 405];
      expect(statuses).toEqual(
        SELF_SERVICE_ROUTES.map(({ path, body }) =>
          body === undefined ? [path, ...read] : [path, ...read, 413, 415, 422],
        ),
      );
      const { get } = await createCaller(fixture);
      expect((await get('/webhook-endpoint/deliveries?limit=0')).status).toBe(422);
      expect((await get('/webhook-endpoint')).status).toBe(422);
    });
  });

  describe('/webhook-endpoint at its limit', () => {
    const fixture = useFixture(underTest, {
      selfService: { ...SELF_SERVICE_PRESET, url: true, rotateSecret: true },
    });

    it('answers every route with 429 after ten requests, and the other lists as before', async () => {
      const { authorization, get } = await createCaller(fixture);
      await freshWindow(fixture.storage.storage);
      for (let count = 0; count < 10; count += 1) await get('/webhook-endpoint');
      for (const { method, path } of SELF_SERVICE_ROUTES) {
        const limited = await fixture.ask({ method, target: BASE + path, fields: [authorization] });
        const { error, scope, retryAfter } = jsonOf(limited);
        expect([path, limited.status, error, scope]).toEqual([path, 429, 'RATE_LIMITED', 'partner']);
        expect(headerOf(limited, 'Retry-After')).toBe(String(retryAfter));
        expect(headerOf(limited, 'X-RateLimit-Remaining')).toBe('0');
      }
      expect((await get('/jobs')).status).toBe(200);
    });
  });

  describe('/webhook-endpoint while it is off', () => {
    const fixture = useFixture(underTest);

    it('answers like an unknown path', async () => {
      const { authorization } = await createCaller(fixture);
      for (const method of ['GET', 'PUT', 'POST']) {
        const parts = { method, fields: [authorization] };
        const unknown = await fixture.ask({ ...parts, target: `${BASE}/unknown` });
        const off = await fixture.ask({ ...parts, target: `${BASE}/webhook-endpoint` });
        expect([off.status, off.body]).toEqual([404, unknown.body]);
      }
    });
  });
}
