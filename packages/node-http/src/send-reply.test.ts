import { once } from 'node:events';
import { createServer, IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createDoorman, Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { sendReply } from './send-reply.js';

const BODY = 'x'.repeat(100_000);
const DISCARD = { maxBytes: 4 * 1024 * 1024, maxMs: 5_000 };

it.each([
  ['of the client', { asked: 'close', said: {} }],
  ['of the server', { asked: 'keep-alive', said: { Connection: 'close' } }],
  ['of a server that writes it its way', { asked: 'keep-alive', said: { Connection: 'Close' } }],
])('closes the connection after the rest of the request, as %s asks', async (_, wish) => {
  let hasEnded = false;
  const server = createServer((raw, response) => {
    raw.once('end', () => {
      hasEnded = true;
    });
    for (const [name, value] of Object.entries(wish.said)) response.setHeader(name, value);
    sendReply(raw, response, {
      status: 413,
      headers: { 'Content-Length': '2' },
      body: '{}',
      discard: DISCARD,
    });
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

it('ends its reply to a request that a platform rebuilt from an event and read', async () => {
  const server = createServer(async (_raw, response) => {
    const rebuilt = new IncomingMessage(new Socket());
    rebuilt.push(null);
    await once(rebuilt.resume(), 'end');
    response.setHeader('Connection', 'close');
    sendReply(rebuilt, response, { status: 401, headers: {}, body: '{}', discard: DISCARD });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const reply = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  expect([reply.status, await reply.text()]).toEqual([401, '{}']);
});

it('closes the connection after 4 MiB of an endless body, even if the host called setEncoding', async () => {
  // The time limit must not apply first.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const server = createServer((raw, response) => {
    sendReply(raw.setEncoding('latin1'), response, {
      status: 413,
      headers: {},
      body: '{}',
      discard: DISCARD,
    });
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

/** A server that replies when the test says so, and a keep-alive client. */
async function holdReplies(listenOn: (server: Server) => Promise<number>) {
  const held: (() => void)[] = [];
  const server = createServer((raw, response) => {
    held.push(() =>
      sendReply(raw, response, {
        status: 200,
        headers: { 'Content-Length': '2' },
        body: '{}',
        discard: DISCARD,
      }),
    );
  });
  const socket = connect(await listenOn(server), '127.0.0.1').setEncoding('latin1');
  onTestFinished(() => void socket.destroy());
  const ask = async () => {
    const arrived = once(server, 'request');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await arrived;
  };
  const letGo = async () => {
    held.shift()?.();
    return String((await once(socket, 'data'))[0]);
  };
  return { server, ask, letGo };
}

it('a closing server closes the connection of a busy client after its reply', async () => {
  const { server, ask, letGo } = await holdReplies(async (it) => {
    await once(it.listen(0, '127.0.0.1'), 'listening');
    return (it.address() as AddressInfo).port;
  });
  await ask();
  expect(await letGo()).toContain('Connection: keep-alive');
  await ask();
  const closed = once(server, 'close');
  server.close();
  expect(await letGo()).toContain('Connection: close');
  await closed;
});

it('a server that never listens keeps its connections', async () => {
  const { ask, letGo } = await holdReplies(async (it) => {
    const doorman = createDoorman((socket) => void it.emit('connection', socket));
    onTestFinished(() => void doorman.close());
    await once(doorman.listen(0, '127.0.0.1'), 'listening');
    return (doorman.address() as AddressInfo).port;
  });
  for (const _time of [1, 2]) {
    await ask();
    expect(await letGo()).toContain('Connection: keep-alive');
  }
});
