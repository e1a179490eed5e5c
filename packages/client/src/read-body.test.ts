import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { clientOf, reply } from '@partner-hiring/test-support/client/scripted-client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from './clock.js';
import { type Fetch, PartnerApiError, PartnerConnectionError } from './index.js';
import { MAX_BODY_BYTES, readBody } from './read-body.js';

const MIB = 1_048_576;

/** Starts a server that answers every request, and returns a client for it, and how much was sent. */
async function clientOfServer(answer: (response: ServerResponse) => void) {
  const sent = { bytes: 0, isClosed: false };
  const server = createServer((_request, response) => {
    response.on('close', () => {
      sent.isClosed = true;
    });
    answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  const fetch: Fetch = (url, init) =>
    globalThis.fetch(url.replace(/^https:\/\/[^/]+/, `http://127.0.0.1:${port}`), init);
  return { client: clientOf(fetch, { maxAttempts: 1, clock: systemClock }), sent };
}

const headers = { 'content-type': 'application/json', 'x-request-id': 'r-1' };

/** Sends a JSON text without an end, as fast as the client reads. */
function endless(status: number, sent: { bytes: number } = { bytes: 0 }) {
  const chunk = Buffer.alloc(MIB, ' ');
  return (response: ServerResponse) => {
    response.writeHead(status, headers);
    const send = () => {
      while (!response.destroyed) {
        sent.bytes += chunk.length;
        if (!response.write(chunk)) {
          response.once('drain', send);
          return;
        }
      }
    };
    send();
  };
}

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => error,
  );

describe('the client stops reading an answer at 32 MiB', () => {
  test('that is endless, and closes its connection', async () => {
    const sent = { bytes: 0 };
    const { client, sent: connection } = await clientOfServer(endless(200, sent));
    const error = await failureOf(client.applications.get('ej_app_1'));
    expect(error).toBeInstanceOf(PartnerConnectionError);
    expect(error).toMatchObject({ reason: 'invalid_answer', requestId: 'r-1' });
    expect(String(error)).toMatch(/larger than 32 MiB.*\(request r-1\)/);
    await expect.poll(() => connection.isClosed).toBe(true);
    // The buffers of both sides hold some more.
    expect(sent.bytes).toBeLessThan(64 * MIB);
  });

  test('that is small, but decompresses to more', async () => {
    const bomb = gzipSync(Buffer.alloc(40 * MIB, ' '), { level: 1 });
    expect(bomb.length).toBeLessThan(MIB);
    const { client } = await clientOfServer((response) => {
      response.writeHead(200, { ...headers, 'content-encoding': 'gzip' }).end(bomb);
    });
    const error = await failureOf(client.applications.get('ej_app_1'));
    expect(error).toMatchObject({ reason: 'invalid_answer', requestId: 'r-1' });
    expect(String(error)).toMatch(/larger than 32 MiB/);
  });

  test.each([422, 403])('that is the body of an error with status %i', async (status) => {
    const { client, sent } = await clientOfServer(endless(status));
    const error = await failureOf(client.applications.get('ej_app_1'));
    expect(error).toBeInstanceOf(PartnerApiError);
    expect(error).toMatchObject({ status, code: `HTTP_${status}`, requestId: 'r-1' });
    await expect.poll(() => sent.isClosed).toBe(true);
  });
});

describe('a body', () => {
  const never = new AbortController().signal;
  const streamOf = (...chunks: readonly Uint8Array[]) =>
    new Blob(chunks as Uint8Array<ArrayBuffer>[]).stream();
  const read = (body: unknown, length?: string) =>
    readBody(
      { ...reply(200, 'from text()', length === undefined ? {} : { 'content-length': length }), body },
      never,
    );

  test('of exactly 32 MiB is read, and one byte more is not', async () => {
    const most = new Uint8Array(MAX_BODY_BYTES).fill(97);
    expect((await read(streamOf(most)))?.length).toBe(MAX_BODY_BYTES);
    expect(await read(streamOf(most, new Uint8Array(1)))).toBeNull();
  });

  test('is decoded across chunks, without its byte order mark', async () => {
    const bytes = new TextEncoder().encode('\ufeff{"title":"Köln 🦊"}');
    const stream = new ReadableStream({
      start: (controller) => {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    expect(await read(stream)).toBe('{"title":"Köln 🦊"}');
  });

  test('may be a stream of Node, or be missing', async () => {
    async function* pieces() {
      yield Buffer.from('{"a"');
      yield Buffer.from(':1}');
    }
    expect(await read(pieces())).toBe('{"a":1}');
    async function* tooMany() {
      for (;;) yield Buffer.alloc(MIB);
    }
    expect(await read(tooMany())).toBeNull();
    for (const body of [undefined, null]) expect(await read(body)).toBe('from text()');
    expect(await read(undefined, String(MAX_BODY_BYTES + 1))).toBeNull();
  });

  test('is not read on after the attempt has ended, even if fetch ignores its signal', async () => {
    const ended = new AbortController();
    let pulled = 0;
    const stream = new ReadableStream({
      pull: (controller) => {
        pulled += 1;
        if (pulled === 3) ended.abort();
        controller.enqueue(new Uint8Array(10));
      },
    });
    await readBody({ ...reply(200, ''), body: stream }, ended.signal).catch(() => {});
    expect(pulled).toBeLessThan(6);
  });
});
