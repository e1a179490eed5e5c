import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { finished } from 'node:stream/promises';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createUntakenReader, readRequest } from './read-request.js';

/** Receives a request whose client left after half the body. */
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

it('reads the header fields of a request without `rawHeaders`, as tests of Hapi make it', () => {
  const headers = { authorization: 'Bearer x', 'x-twice': ['a', 'b'], 'x-none': undefined };
  const injected = { method: 'GET', headers } as unknown as IncomingMessage;
  const { headerValues } = readRequest(injected, '/', '127.0.0.1');
  expect(['authorization', 'x-twice', 'x-none'].map(headerValues)).toEqual([['Bearer x'], ['a', 'b'], []]);
});

it('returns broken_off when the client left before the body was read', async () => {
  const raw = await receiveAbandoned();
  expect(await readRequest(raw, '/', '127.0.0.1').readBody({ maxBytes: 100, timeoutMs: 1_000 })).toBe(
    'broken_off',
  );
});

/** Receives an HTTP/2 request that does not announce its body. */
async function receiveHttp2(body: string): Promise<IncomingMessage> {
  const server = createHttp2Server().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  client.request({ ':method': 'POST' }).end(body);
  const [raw] = (await once(server, 'request')) as [IncomingMessage];
  return raw;
}

it('rejects a body over HTTP/2 that was read before, even if it was not announced', async () => {
  vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  const raw = await receiveHttp2('{"a":1}');
  await finished(raw.resume());
  const { readBody } = createUntakenReader('Mount it first.')(raw, '/', '127.0.0.1');
  await expect(readBody({ maxBytes: 100, timeoutMs: 1_000 })).rejects.toThrow('Mount it first.');
});

/** Reads a chunked request to its end, or only its first chunk. Such a request does not announce its length. */
async function readKept(rawBody: unknown, part: 'whole' | 'half') {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  client.write('POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n');
  const [raw] = (await once(server, 'request')) as [IncomingMessage];
  if (part === 'whole') client.write('0\r\n\r\n');
  await (part === 'whole' ? finished(raw.resume()) : once(raw, 'data'));
  const read = createUntakenReader('Mount it first.');
  return read(Object.assign(raw, { rawBody }), '/', '').readBody({ maxBytes: 100, timeoutMs: 1_000 });
}

it('takes a copy of `rawBody` if the request has ended, also from another realm', async () => {
  const kept = Buffer.from('[{}]').subarray(1, 3);
  const body = await readKept(kept, 'whole');
  kept.fill(0);
  expect(body).toEqual(Buffer.from('{}'));
  expect(await readKept(runInNewContext('new Uint8Array([123, 125])'), 'whole')).toEqual(Buffer.from('{}'));
});

it('rejects `rawBody` if the request has neither a length nor an end', async () => {
  vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  await expect(readKept(Buffer.from('{}'), 'half')).rejects.toThrow('Mount it first.');
});
