/** Importing undici replaces the global `fetch` of the process, which may be passed to `certify`. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { certify } from '@partner-hiring/certify';
import { getGlobalDispatcher } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { RIGHT, SECRET, startReceiver } from './receiver.js';

test('certifies a receiver in a process with a newer undici', async () => {
  expect(getGlobalDispatcher()).toBeDefined();
  const report = await certify({ url: await startReceiver(RIGHT), secret: SECRET, slowBodyMs: 80, fetch });
  expect(report).toMatchObject({ passed: true, findings: [] });
});

test.each([
  ['over HTTP', {}],
  ['through fetch', { fetch }],
])('each delivery has one Content-Length, even a slow one: %s', async (_, through) => {
  const lengths: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    lengths.push(request.headers['content-length']);
    request.resume().on('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => void server.close());
  const { port } = server.address() as AddressInfo;
  await certify({ url: `http://127.0.0.1:${port}/`, secret: SECRET, slowBodyMs: 80, ...through });
  expect(lengths.length).toBeGreaterThan(20);
  for (const length of lengths) expect(length).toMatch(/^\d+$/);
});
