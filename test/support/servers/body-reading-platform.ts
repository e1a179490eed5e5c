import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Reads a whole body, as Firebase, Google Functions and Azure Functions do before they call an application. */
export async function readWhole(raw: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of raw) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Listens like such a platform, and resolves with the origin. By default it leaves the bytes of the body in `rawBody`.
 */
export async function serveBehindPlatform(
  application: RequestListener,
  keep: (bytes: Buffer) => unknown = (bytes) => bytes,
): Promise<string> {
  const server = createServer(async (raw, response) => {
    const rawBody = keep(await readWhole(raw));
    application(Object.assign(raw, { rawBody }), response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Values of `rawBody` that do not prove which bytes the partner sent. */
export const UNUSABLE_RAW_BODIES: readonly (readonly [string, (bytes: Buffer) => unknown])[] = [
  ['a string', (bytes) => bytes.toString()],
  ['parsed JSON', (bytes) => JSON.parse(bytes.toString())],
  ['an ArrayBuffer', (bytes) => new Uint8Array(bytes).buffer],
  ['numbers of two bytes', (bytes) => new Uint16Array(bytes)],
  ['nothing', () => undefined],
  ['one byte less than Content-Length says', (bytes) => bytes.subarray(1)],
  ['one byte more than Content-Length says', (bytes) => Buffer.concat([bytes, Buffer.from(' ')])],
  ['no bytes', () => Buffer.alloc(0)],
];
