/** Runs the packed command on a correct receiver, one that accepts everything, and none. */
import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { certify } from '@partner-hiring/certify';
import { verifyWebhook } from '@partner-hiring/webhook-verifier';

const secret = 'whsec_of_the_packages';
let verifies = true;

const server = createServer(async (request, response) => {
  const { headers } = request;
  const { ok } = await verifyWebhook({ body: await buffer(request), headers, secret });
  response.writeHead(ok || !verifies ? 204 : 400).end();
});

/** Runs the installed command; returns its exit code. */
function exitCode(url: string): Promise<number | null> {
  const env = { ...process.env, WEBHOOK_SECRET: secret };
  return new Promise((resolve) => {
    const child: ChildProcess = execFile('node_modules/.bin/certify', [url], { env }, () =>
      resolve(child.exitCode),
    );
  });
}

async function main(): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  const codes = [await exitCode(url)];
  verifies = false;
  codes.push(await exitCode(url));
  const { findings } = await certify({ url, secret, slowBodyMs: 80 });
  server.close();
  server.closeAllConnections();
  codes.push(await exitCode(url));

  const found = findings.map(({ code }) => code).join();
  if (codes.join() !== '0,1,2') throw new Error(`The command exited with ${codes.join()}.`);
  if (found !== 'does_not_verify') throw new Error(`Certified, and found: ${found}`);
  return `certify exits with ${codes.join(', ')}, ${found}`;
}

main().then(
  (story) => console.log(`    ${story}`),
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
