import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { finished } from 'node:stream/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createUntakenReader } from './read-untaken.js';

/** A request over HTTP/2 that does not announce its body, as Node's compatibility hands it over. */
async function receive(body: string): Promise<IncomingMessage> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  client.request({ ':method': 'POST' }).end(body);
  const [raw] = (await once(server, 'request')) as [IncomingMessage];
  return raw;
}

it('takes no body over HTTP/2 for empty because it was read before: nothing needs to announce it there', async () => {
  vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  const raw = await receive('{"a":1}');
  await finished(raw.resume());
  const { readBody } = createUntakenReader('Mount it first.')(raw, '/', '127.0.0.1');
  await expect(readBody({ maxBytes: 100, timeoutMs: 1_000 })).rejects.toThrow('Mount it first.');
});
