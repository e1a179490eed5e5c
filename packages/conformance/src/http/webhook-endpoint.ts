import { SELF_SERVICE_PRESET } from '@partner-hiring/core';
import { describe, expect, it } from 'vitest';
import { BASE, createCaller, JOB } from './caller.js';
import { type HttpUnderTest, useFixture } from './fixture.js';
import { headerOf, jsonOf, type RequestParts } from './raw-connection.js';

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

    async function createOwner() {
      const caller = await createCaller(fixture);
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

    it('lists deliveries, and sends events again', async () => {
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

    it('refuses other methods, media types, large bodies, and callers without a key', async () => {
      const { ask, authorization } = await createOwner();
      const target = `${BASE}/webhook-endpoint`;
      const replies = [
        await ask('DELETE', ''),
        await ask('POST', '/pause', 'x'.repeat(20_000)),
        await fixture.ask({
          method: 'PUT',
          target,
          fields: [authorization, ['Content-Type', 'text/plain']],
          body: '{}',
        }),
        await ask('PUT', '', { url: 'http://ats.example' }),
        await fixture.ask({ method: 'PUT', target, fields: [JSON_BODY], body: '{}' }),
      ];
      expect(replies.map(({ status }) => status)).toEqual([405, 413, 415, 422, 401]);
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
