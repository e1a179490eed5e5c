import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readRequest } from './read-request.js';

/** A request of which half the body came before its client left, and which nobody has read of. */
async function receiveAbandoned(): Promise<IncomingMessage> {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1', () => {
    client.write('POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 4\r\n\r\n{}');
  });
  const [raw] = (await once(server, 'request')) as [IncomingMessage];
  raw.on('error', () => {});
  client.destroy();
  await new Promise((resolve) => raw.once('close', resolve));
  return raw;
}

describe('readRequest', () => {
  it('tells of a client that left while code of the host was still busy', async () => {
    const raw = await receiveAbandoned();
    expect(await readRequest(raw, '/', '127.0.0.1').readBody({ maxBytes: 100, timeoutMs: 1_000 })).toBe(
      'broken_off',
    );
  });
});
