import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { certify } from '@partner-hiring/certify';
import { createSelfSigned } from '@partner-hiring/test-support/network/self-signed';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';
import { RIGHT, SECRET, startReceiver } from './receiver.js';
import { runCertify } from './run-certify.js';

/** A correct receiver with a self-signed certificate. */
async function startBehindTls() {
  const inner = await startReceiver(RIGHT);
  const { cert, key } = await createSelfSigned(['localhost']);
  const passOn = (incoming: IncomingMessage, response: ServerResponse) => {
    const { method = '', headers } = incoming;
    const passed = request(inner, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    incoming.pipe(passed);
  };
  const server = createServer({ cert, key }, passOn).listen(0, 'localhost');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return { url: `https://localhost:${(server.address() as AddressInfo).port}/webhooks`, cert };
}

test('passes over https with a trusted certificate', async () => {
  const { url, cert } = await startBehindTls();
  const folder = temporaryFolder();
  const file = join(folder, 'authority.pem');
  writeFileSync(file, cert);
  const { code, stdout } = await runCertify([url, '--timeout', '2'], {
    WEBHOOK_SECRET: SECRET,
    NODE_EXTRA_CA_CERTS: file,
  });
  expect(stdout).toContain(`\nPassed: ${url}\n`);
  expect(code).toBe(0);
});

test('reports an untrusted certificate', async () => {
  const { url } = await startBehindTls();
  await expect(certify({ url, secret: SECRET })).rejects.toMatchObject({
    code: 'RECEIVER_UNREACHABLE',
    message: expect.stringMatching(
      /DEPTH_ZERO_SELF_SIGNED_CERT.*The certificate of the receiver is not trusted/,
    ),
  });
});

test('reports a port without TLS', async () => {
  const plain = new URL(await startReceiver(RIGHT));
  await expect(certify({ url: `https://localhost:${plain.port}/`, secret: SECRET })).rejects.toMatchObject({
    code: 'RECEIVER_UNREACHABLE',
    message: expect.stringContaining('The port does not use TLS.'),
  });
});

test('reports a port with TLS at an http URL', async () => {
  const { url } = await startBehindTls();
  await expect(certify({ url: url.replace('https:', 'http:'), secret: SECRET })).rejects.toMatchObject({
    code: 'RECEIVER_UNREACHABLE',
    message: expect.stringContaining('Check whether the port uses https.'),
  });
});
