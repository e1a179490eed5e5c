import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook } from '@partner-hiring/webhook-verifier';
import { expect, onTestFinished, test } from 'vitest';
import { runListen } from './run-listen.js';

const EVENT = {
  apiVersion: 'v1',
  createdAt: '2026-11-21T10:15:30.123Z',
  data: {},
  id: 'evt_1',
  type: 'job.\u001bopened',
};

test('waits for a rate limit and says so, prints a new secret once, and stops at the signal', async () => {
  const printed: string[] = [];
  const stop = new AbortController();
  const requests: string[] = [];
  const webhooks: { readonly body: Buffer; readonly headers: object }[] = [];
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.headers.authorization}`);
    if (request.method === 'POST') {
      webhooks.push({ body: await buffer(request), headers: request.headers });
      response.writeHead(204).end();
    } else if (requests.length === 1) response.writeHead(429, { 'retry-after': '0' }).end();
    else response.end(JSON.stringify({ data: [EVENT] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-listen-'));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const code = await runListen({
    args: ['--forward', `${url}/hooks?token=hidden`, '--cursor', join(folder, 'cursor.json')],
    env: { PARTNER_API_URL: url, PARTNER_API_KEY: 'pek_test_k' },
    print: (line) => {
      printed.push(line);
      if (/: 204 in \d+ ms$/.test(line)) stop.abort();
    },
    printError: (line) => void printed.push(line),
    signal: stop.signal,
  });
  const [, secret = ''] = /^Signing secret: (whsec_[\w-]{43})$/.exec(printed[1] ?? '') ?? [];
  expect([code, ...printed]).toEqual([
    0,
    `Forwarding events of ${url} to ${url}/hooks?…. Stop with Ctrl+C.`,
    `Signing secret: ${secret}`,
    expect.stringContaining('not shown again'),
    'The rate limit is used up. Waiting as long as the service says.',
    expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z evt_1 job\. opened: 204 in \d+ ms$/),
    'Stopped. The next start continues after the last forwarded event.',
  ]);
  const get = 'GET Bearer pek_test_k';
  expect(requests).toEqual([get, get, 'POST undefined']);
  const [{ body, headers } = { body: Buffer.of(), headers: {} }] = webhooks;
  expect(await verifyWebhook({ body, headers: headers as Record<string, string>, secret })).toMatchObject({
    ok: true,
  });
});
