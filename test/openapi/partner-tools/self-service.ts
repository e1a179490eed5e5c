import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createPartnerClient } from '@partner-hiring/client';
import { createPartnerHiring, SELF_SERVICE_PRESET } from '@partner-hiring/core';
import { createNodeHandler } from '@partner-hiring/node';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import { faultsOfResponse } from './prism.js';

/** Everything that a host can turn on for partners. */
export const SELF_SERVICE = { ...SELF_SERVICE_PRESET, url: true, rotateSecret: true };

const ENDPOINT = 'https://ats.example/webhooks';

/** Starts a host whose webhooks reach an endpoint that accepts everything, without a network. */
export async function startSelfServiceHost(folder: string) {
  const partnerHiring = createPartnerHiring({
    storage: await createSqliteStorage({ file: join(folder, 'self-service.sqlite') }),
    secretKey: '0123456789abcdef'.repeat(4),
    selfService: SELF_SERVICE,
    limits: { webhook_endpoint: 1_000 },
    transport: { post: async () => ({ kind: 'answered', status: 204, excerpt: '' }), close: async () => {} },
  });
  const { operator } = partnerHiring;
  const partner = await operator.partners.create({ name: 'Acme ATS' });
  const issued = { partnerId: partner.id, environment: 'production', endpointUrl: ENDPOINT } as const;
  const { key, secret } = await operator.keys.issue(issued);
  const company = await operator.companies.create({ name: 'Harbor', environment: 'production' });
  await operator.access.grant({ keyId: key.id, companyId: company.id });
  for (const title of ['Line Cook', 'Picker']) {
    await operator.jobs.publish({
      companyId: company.id,
      title,
      location: { city: 'Austin', state: 'TX', country: 'US' },
      compensation: { min: 18, max: null, currency: 'USD' },
    });
  }
  await partnerHiring.worker.drain();
  const server = createServer(createNodeHandler(partnerHiring)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/external`,
    apiKey: secret,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await partnerHiring.close();
    },
  };
}

/** Calls every route through the proxy. Returns which calls failed. */
export async function callEveryRoute(baseUrl: string, apiKey: string): Promise<readonly string[]> {
  const { webhookEndpoint: own, events } = createPartnerClient({ baseUrl, apiKey, maxAttempts: 1 });
  const failed: string[] = [];
  const call = async (what: string, run: () => Promise<unknown>) => {
    await run().catch((error: unknown) => failed.push(`${what}: ${String(error)}`));
  };
  const eventIds: string[] = [];
  await call('get', () => own.get());
  await call('setUrl', () => own.setUrl('https://new.example/webhooks'));
  await call('test', () => own.test());
  await call('pause', () => own.pause());
  await call('get while paused', () => own.get());
  await call('resume', () => own.resume({ retryNow: true }));
  await call('rotateSecret', () => own.rotateSecret({ overlapSeconds: 60 }));
  await call('deliveries', async () => {
    for await (const { eventId } of own.deliveries({ limit: 1, state: 'delivered' })) eventIds.push(eventId);
  });
  await call('resend', () => own.resend(eventIds[0] ?? 'none'));
  await call('resendSince', () => own.resendSince(new Date(0)));
  await call('events', async () => {
    for await (const _ of events.list({ limit: 1 }));
  });
  return failed;
}

/** Sends requests that the service refuses. Their responses are described too. Returns those that differ. */
export async function sendRefused(baseUrl: string, apiKey: string): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const url = `${baseUrl}/webhook-endpoint`;
  const sent: readonly (readonly [expected: number, url: string, init: RequestInit])[] = [
    [401, url, {}],
    [422, `${url}/deliveries?cursor=forged`, { headers }],
    [422, `${url}/deliveries/evt_none/resend`, { method: 'POST', headers }],
    [422, url, { method: 'PUT', headers, body: '{"url":"http://ats.example"}' }],
    [413, url, { method: 'PUT', headers, body: JSON.stringify({ url: ENDPOINT, more: 'x'.repeat(20_000) }) }],
    [422, `${baseUrl}/events?cursor=forged`, { headers }],
  ];
  const answers = await Promise.all(sent.map(([, target, init]) => fetch(target, init)));
  return answers.flatMap((answer, index) => {
    const [expected, target] = sent[index] ?? [];
    const faults = faultsOfResponse(answer).map((fault) => `${target}: ${fault}`);
    return answer.status === expected
      ? faults
      : [...faults, `${target}: ${answer.status} instead of ${expected}`];
  });
}
