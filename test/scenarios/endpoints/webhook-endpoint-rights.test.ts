import { SELF_SERVICE_PRESET } from '@partner-hiring/core';
import type { Partner, Reply } from '@partner-hiring/test-support/partner';
import { verifyWebhook } from '@partner-hiring/webhook-verifier';
import { afterEach, describe, expect, it } from 'vitest';
import { type DeliveryStage, openDeliveryStage } from '../operator/deliveries-stage.js';

/** Each right, with its method and path. */
const ROUTES = {
  endpoint: ['GET', ''],
  url: ['PUT', ''],
  test: ['POST', '/test'],
  pause: ['POST', '/pause'],
  resume: ['POST', '/resume'],
  rotateSecret: ['POST', '/rotate-secret'],
  deliveries: ['GET', '/deliveries'],
  resend: ['POST', '/deliveries/evt_1/resend'],
  resendSince: ['POST', '/resend'],
} as const;
const RIGHTS = Object.keys(ROUTES) as (keyof typeof ROUTES)[];
const METHODS = ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const PATHS = [...new Set(Object.values(ROUTES).map(([, path]) => path))];
const OTHER_PATHS = ['/jobs', '/applications', '/applications/ej_app_1', '/events', '/unknown'];
/** A body with every field. */
const BODY = JSON.stringify({
  url: 'https://thief.example/hooks',
  retryNow: true,
  overlapSeconds: 0,
  since: '2020-01-01T00:00:00Z',
});

let stage: DeliveryStage;
afterEach(() => stage.close());

function call(partner: Partner, method: string, path: string): Promise<Reply> {
  const body = method === 'GET' || method === 'HEAD' ? undefined : BODY;
  return partner.request(method, path, { body, headers: { 'content-type': 'application/json' } });
}

/** A reply without what differs from request to request. */
function bytesOf({ status, headers, text }: Reply): unknown {
  const kept = [...headers].filter(([name]) => !['x-request-id', 'x-ratelimit-remaining'].includes(name));
  return [status, text, kept];
}

describe('the routes of /webhook-endpoint', () => {
  it('are byte for byte unknown paths while they are off', async () => {
    stage = await openDeliveryStage();
    for (const method of METHODS) {
      const unknown = bytesOf(await call(stage.partner, method, '/unknown'));
      for (const path of PATHS) {
        const reply = await call(stage.partner, method, `/webhook-endpoint${path}`);
        expect([method, path, bytesOf(reply)]).toEqual([method, path, unknown]);
      }
    }
  });

  it.each(RIGHTS)('need the right %s, each for itself', async (right) => {
    stage = await openDeliveryStage({ selfService: { [right]: true }, limits: { webhook_endpoint: 1_000 } });
    const unknown = await call(stage.partner, 'GET', '/unknown');
    for (const other of RIGHTS) {
      const [method, path] = ROUTES[other];
      const reply = await call(stage.partner, method, `/webhook-endpoint${path}`);
      if (other === right) expect([reply.status, reply.json.error]).not.toContain('NOT_FOUND');
      else if (ROUTES[right][1] !== path) expect(bytesOf(reply)).toEqual(bytesOf(unknown));
      else expect([reply.status, reply.text]).toEqual([404, unknown.text]);
    }
  });

  it('name in Allow only the methods that are on', async () => {
    stage = await openDeliveryStage({ selfService: SELF_SERVICE_PRESET });
    const reply = await call(stage.partner, 'DELETE', '/webhook-endpoint');
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await call(stage.partner, 'HEAD', '/webhook-endpoint')).status).toBe(200);
    expect((await call(stage.partner, 'GET', '/webhook-endpoint/')).json.error).toBe('NOT_FOUND');
  });

  it('refuse a caller without a key like every other path', async () => {
    stage = await openDeliveryStage({ selfService: SELF_SERVICE_PRESET });
    for (const path of PATHS) {
      const reply = await stage.partner.request('POST', `/webhook-endpoint${path}`, {
        headers: { authorization: 'Bearer none' },
      });
      expect([reply.status, reply.json.error]).toEqual([401, 'UNAUTHORIZED']);
    }
  });
});

/** A URL whose query is a secret, and how it is shown to those who may not set it. */
const WITH_TOKEN = 'https://ats.example.org/hooks?token=s3cret#part';
const SHOWN = 'https://ats.example.org/hooks?…';

describe('a stolen API key', () => {
  it.each([
    [false, SHOWN],
    [true, WITH_TOKEN],
  ])('with the right url %s reads %s', async (url, shown) => {
    stage = await openDeliveryStage({ selfService: { ...SELF_SERVICE_PRESET, url } });
    await stage.operator.endpoints.setUrl({ keyId: stage.keyId, url: WITH_TOKEN });
    for (const right of ['endpoint', 'pause', 'resume'] as const) {
      const [method, path] = ROUTES[right];
      expect((await call(stage.partner, method, `/webhook-endpoint${path}`)).json.url).toBe(shown);
    }
  });

  it('in the preset cannot redirect a stream, read its secret or replace it', async () => {
    stage = await openDeliveryStage({
      selfService: SELF_SERVICE_PRESET,
      limits: { webhook_endpoint: 1_000, guard: 10_000 },
    });
    const { operator, keyId, partner } = stage;
    const before = await operator.endpoints.find({ keyId });
    const replies: string[] = [];
    const own = PATHS.map((path) => `/webhook-endpoint${path}`);
    for (const path of [...own, ...OTHER_PATHS]) {
      for (const method of METHODS) replies.push((await call(partner, method, path)).text);
    }
    expect(replies.join('\n')).not.toMatch(/whsec_|thief/);
    const after = await operator.endpoints.find({ keyId });
    expect([after?.url, after?.signingSecretId]).toEqual([before?.url, before?.signingSecretId]);

    await operator.endpoints.resume({ keyId });
    await stage.record(1);
    await stage.drain();
    const sent = stage.transport.attempts.at(-1) ?? { headers: {}, body: '', url: '' };
    expect(stage.transport.attempts.map(({ url }) => url)).not.toContain('https://thief.example/hooks');
    const secret = partner.signingSecret ?? '';
    expect((await verifyWebhook({ ...sent, secret, now: stage.clock.now() })).ok).toBe(true);
  });
});
