/** Plays the pages about alerts. `npm run test:alerts` proves that the alerts fire. */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { metrics } from '@opentelemetry/api';
import type { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import type { OperatorAlert, OperatorAlerts } from '@partner-hiring/core';
import { expect, onTestFinished } from 'vitest';
import { runCli } from '../cli/run-cli.js';
import { exported, partnerHiringOf } from './exported.js';
import { fencesOf } from './fences.js';
import { fillIn } from './fill-in.js';
import { callApplications, freePort, letIn } from './host.js';
import { tell } from './tell.js';

const KEY = { PARTNER_HIRING_SEALING_KEY: '0123456789abcdef'.repeat(4) };
const BASE = 'http://localhost/api/v1/external';

const ALERT: OperatorAlert = {
  id: 'alr_4711',
  kind: 'delivery_dead',
  keyId: 'key_acme',
  at: 0,
  eventId: 'evt_4711',
  partnerId: 'ptn_acme',
  partnerName: 'Acme ATS',
  environment: 'production',
  failure: 'timed_out',
} as unknown as OperatorAlert;

interface Posted {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Returns the signature by the rules of Standard Webhooks. */
function signatureOf(key: string, headers: Posted['headers'], body: string): string {
  const secret = Buffer.from(key.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`;
}

/** Starts a server that answers with these statuses, one after the other. */
async function startPager(...statuses: readonly number[]) {
  const posted: Posted[] = [];
  const server = createServer(async (request, reply) => {
    let body = '';
    for await (const part of request) body += String(part);
    posted.push({ headers: request.headers as Record<string, string>, body });
    reply.writeHead(statuses[posted.length - 1] ?? 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, posted };
}

tell('docs/alerts.md', async (open) => {
  const METRICS_PORT = await freePort();
  const page = open({ env: { ...KEY, METRICS_PORT } });
  await page.run();
  const exporter = exported<PrometheusExporter>(await page.play(), 'exporter');
  onTestFinished(async () => {
    metrics.disable();
    await exporter.shutdown();
  });
  const partnerHiring = await partnerHiringOf(page);
  const { secret } = await letIn(partnerHiring);
  expect((await callApplications(BASE, secret, {}, partnerHiring.fetch)).status).toBe(200);
  const scraped = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
  expect(scraped).toMatch(/^http_server_request_duration_count\{.*http_route="[^"]+\/applications".*\} 1$/m);
  expect(scraped).toMatch(/^partner_hiring_storage_up\S* 1$/m);

  const pager = await startPager(200, 500);
  const key = `whsec_${Buffer.from('0123456789abcdef').toString('base64')}`;
  const webhookAlerts = exported<(url: string, key: string) => OperatorAlerts>(
    await page.play(),
    'webhookAlerts',
  );
  await webhookAlerts(pager.url, key).alert(ALERT);
  const [{ headers = {}, body = '' } = {}] = pager.posted;
  expect(headers['webhook-signature']).toBe(signatureOf(key, headers, body));
  expect(JSON.parse(body)).toEqual(ALERT);
  await expect(webhookAlerts(pager.url, key).alert(ALERT)).rejects.toThrow('The pager answered 500.');
});

tell('docs/runbooks.md', async (open) => {
  const page = open({ env: KEY });
  const partnerHiring = await partnerHiringOf(page);
  const { key, secret } = await letIn(partnerHiring, 'https://ats.invalid/hooks');
  const refused = await callApplications(
    BASE,
    secret,
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' },
    partnerHiring.fetch,
  );
  const { items: requests } = await partnerHiring.operator.requests.list();
  const { items: deliveries } = await partnerHiring.operator.deliveries.list({ keyId: key.id });
  const ids = {
    key_acme: key.id,
    evt_4711: deliveries[0]?.eventId ?? '',
    '0b5e2c1e': requests[0]?.requestId ?? '',
  };
  expect([refused.status, Object.values(ids)]).toEqual([422, expect.not.arrayContaining([''])]);

  // In this process, because starting the program for each command takes a minute.
  const env = { DATABASE_URL: join(page.folder, 'partner-hiring.sqlite') };
  const printed: string[] = [];
  for (const { text } of fencesOf('docs/runbooks.md')) {
    expect(page.next('sh').text).toBe(text);
    for (const line of text.trim().split('\n')) {
      if (line === 'export DATABASE_URL=partner-hiring.sqlite') continue;
      const [npx, program, ...words] = fillIn(line, ids).split(' ');
      expect([npx, program]).toEqual(['npx', 'partner-hiring']);
      const run = await runCli(words, { env });
      expect(run, line).toMatchObject({ code: 0, stderr: '' });
      printed.push(run.stdout);
    }
  }
  expect(printed.length).toBeGreaterThan(25);
  for (const found of [ids['0b5e2c1e'], ids.evt_4711, 'Acme ATS', ' 0 failed']) {
    expect(printed.join('\n')).toContain(found);
  }
});
