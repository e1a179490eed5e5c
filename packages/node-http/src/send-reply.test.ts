import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { sendReply } from './send-reply.js';

const BODY = 'x'.repeat(100_000);

it.each([
  ['of the client', { asked: 'close', said: {} }],
  ['of the server', { asked: 'keep-alive', said: { Connection: 'close' } }],
  ['of a server that writes it its way', { asked: 'keep-alive', said: { Connection: 'Close' } }],
])('by the wish %s, the connection closes once the rest of the request was read', async (_, wish) => {
  let hasEnded = false;
  const server = createServer((raw, response) => {
    raw.once('end', () => {
      hasEnded = true;
    });
    for (const [name, value] of Object.entries(wish.said)) response.setHeader(name, value);
    sendReply(raw, response, { status: 413, headers: { 'Content-Length': '2' }, body: '{}' });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());

  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1');
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nConnection: ${wish.asked}\r\nContent-Length: ${BODY.length}\r\n\r\n`,
  );
  let text = '';
  while (!text.endsWith('{}')) text += (await once(socket, 'data'))[0];
  expect(text).toMatch(/^HTTP\/1\.1 413 /);
  expect(hasEnded).toBe(false);
  socket.write(BODY);
  await once(socket, 'close');
  expect(hasEnded).toBe(true);
});

it('a body that never ends is cut off after 4 MiB, also where the host has it come as text', async () => {
  // The bound of time must not be what cuts it off.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const server = createServer((raw, response) => {
    sendReply(raw.setEncoding('latin1'), response, { status: 413, headers: {}, body: '{}' });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());

  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {}).resume();
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${2 ** 40}\r\n\r\n`);
  const pour = () => {
    while (socket.writable && socket.write(BODY));
  };
  socket.on('drain', pour);
  pour();
  await new Promise((resolve) => socket.once('close', resolve));
  expect(socket.bytesWritten).toBeGreaterThan(4 * 1024 * 1024);
});
