/** Runs the packed command `partner-hiring-listen` between an API and a receiver, and stops it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook } from '@partner-hiring/webhook-verifier';

const secret = 'whsec_of_the_packages';
const openedAt = '2026-11-21T10:15:30.123Z';
const data = { companyId: 'co_1', jobId: 'job_1', openedAt, title: 'Line Cook' };
const event = { apiVersion: 'v1', createdAt: openedAt, data, id: 'evt_1', type: 'job.opened' };
const CURSOR = 'listen-cursor.json';

async function main(): Promise<string> {
  let receive: (ok: boolean) => void = () => {};
  const received = new Promise<boolean>((resolve) => {
    receive = resolve;
  });
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.setHeader('x-updated-through', '2026-11-21T10:15:31.123Z');
      response.end(JSON.stringify({ data: [event] }));
      return;
    }
    const { ok } = await verifyWebhook({ body: await buffer(request), headers: request.headers, secret });
    response.writeHead(204).end();
    receive(ok);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { PARTNER_API_URL: url, PARTNER_API_KEY: 'pek_test_packed', WEBHOOK_SECRET: secret };
  const args = ['--forward', `${url}/webhooks`, '--cursor', CURSOR];
  const child: ChildProcess = spawn('node_modules/.bin/partner-hiring-listen', args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exit = once(child, 'exit');
  const ok = await Promise.race([received, exit.then(() => false)]);
  child.kill('SIGINT');
  const [code] = await exit;
  server.close();
  server.closeAllConnections();
  rmSync(CURSOR);
  if (!ok || code !== 0) throw new Error(`partner-hiring-listen exited with ${code}; verified: ${ok}.`);
  return 'partner-hiring-listen forwards a signed event, and stops';
}

main().then(
  (story) => console.log(`    ${story}`),
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
