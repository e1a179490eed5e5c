/** Answers that are not HTTP to the letter. Their status decides if their status line is complete. */
import {
  createLocalTransport,
  postLocally,
  timed,
} from '@partner-hiring/test-support/network/local-transport';
import {
  type RawServer,
  startAnswering,
  startRequestServer,
} from '@partner-hiring/test-support/network/raw-server';
import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../domain/time.js';
import { readOddAnswer } from './safe-http/odd-answer.js';

const OK = 'HTTP/1.1 200 OK\r\n';
const REST = 'content-length: 2\r\n\r\nok';
const FILLER = 'b'.repeat(17_000);
const SOON_MS = 200;

/** What the parser says. */
const LF_ALONE = 'Missing expected CR after response line';
const LENGTHS = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';
const NO_TOKEN = 'Invalid header token';
const NO_VALUE = 'Invalid header value char';
const TOO_LONG = 'UND_ERR_HEADERS_OVERFLOW';
const NO_HTTP = 'Expected HTTP/, RTSP/ or ICE/';
const NO_DOT = 'Expected dot';

/** Writes the parts of an answer one at a time, each in a packet of its own. */
function startInParts(parts: readonly string[]): Promise<RawServer> {
  return startRequestServer(async (socket) => {
    for (const part of parts) {
      socket.write(part, 'latin1');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
}

const odd = (status: number, oddAnswer: string) => ({ kind: 'answered', status, excerpt: '', oddAnswer });

describe('an answer of 200 counts as a success', () => {
  it.each([
    ['its lines end with LF alone', 'HTTP/1.1 200 OK\ncontent-length: 2\n\nok', LF_ALONE],
    ['only its header lines end with LF', `${OK}content-length: 2\n\nok`, LENGTHS],
    ['it has the same Content-Length twice', `${OK}content-length: 2\r\n${REST}`, LENGTHS],
    ['it has two lengths', `${OK}content-length: 3\r\n${REST}`, LENGTHS],
    ['its Content-Length is a list', `${OK}content-length: 2, 2\r\n\r\nok`, LENGTHS],
    [
      'its Content-Length is negative',
      `${OK}content-length: -1\r\n\r\n`,
      'Invalid character in Content-Length',
    ],
    ['its Content-Length is empty', `${OK}content-length:\r\n\r\n`, 'Empty Content-Length'],
    [
      'a length comes before chunks',
      `${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      LENGTHS,
    ],
    [
      'chunks come before a length',
      `${OK}transfer-encoding: chunked\r\n${REST}`,
      "Content-Length can't be present with Transfer-Encoding",
    ],
    ['a header is folded', `${OK}x-a: b\r\n c\r\n${REST}`, 'Unexpected whitespace after header value'],
    ['the first header is folded', `${OK} x-a: b\r\n${REST}`, 'Unexpected space after start line'],
    ['PHP writes a warning', `${OK}PHP Warning  Undefined variable\r\n${REST}`, NO_TOKEN],
    ['PHP writes a warning as HTML', `${OK}<br />\r\n<b>Warning</b>: Undefined\r\n${REST}`, NO_TOKEN],
    ['a header has no name', `${OK}: b\r\n${REST}`, NO_TOKEN],
    ['a blank follows a name', `${OK}x-a : b\r\n${REST}`, NO_TOKEN],
    ['a blank follows Content-Length', `${OK}Content-Length : 2\r\n\r\nok`, 'Invalid header field char'],
    ['a name contains a blank', `${OK}x a: b\r\n${REST}`, NO_TOKEN],
    ['a name contains an umlaut', `${OK}x-ü: b\r\n${REST}`, NO_TOKEN],
    ['a value contains NUL', `${OK}x-a: b\u0000c\r\n${REST}`, NO_VALUE],
    ['a value contains an escape', `${OK}x-a: \u001b[2J\r\n${REST}`, NO_VALUE],
    ['a value contains CR', `${OK}x-a: b\rc\r\n${REST}`, 'Missing expected LF after header value'],
    ['a value has 17 kB', `${OK}x-a: ${FILLER}\r\n${REST}`, TOO_LONG],
    ['a name has 17 kB', `${OK}${FILLER}: a\r\n${REST}`, TOO_LONG],
    ['its cookies have 17 kB', `${OK}${`set-cookie: a=${'b'.repeat(3_400)}\r\n`.repeat(5)}${REST}`, TOO_LONG],
    ['it has very many headers', `${OK}${'x-a: b\r\n'.repeat(5_000)}`, TOO_LONG],
    ['its protocol has small letters', `http/1.1 200 OK\r\n${REST}`, NO_HTTP],
    ['its protocol has one capital', `Http/1.1 200 OK\r\n${REST}`, NO_HTTP],
    ['its version is 2', `HTTP/2 200\r\n${REST}`, NO_DOT],
    ['its version is 3, without headers', 'HTTP/3 200 \r\n\r\n', NO_DOT],
    ['its version is 1', `HTTP/1 200 OK\r\n${REST}`, NO_DOT],
    ['its version is 1.2', `HTTP/1.2 200 OK\r\n${REST}`, 'Invalid HTTP version'],
    ['two blanks precede its status', `HTTP/1.1  200 OK\r\n${REST}`, 'Invalid status code'],
    ['a tab precedes its status', `HTTP/1.1\t200 OK\r\n${REST}`, 'Expected space after version'],
    ['a tab follows its status', `HTTP/1.1 200\tOK\r\n${REST}`, 'Invalid response status'],
    ['its status ends the line, with LF', 'HTTP/1.1 200\n\n', 'Invalid response status'],
    ['empty lines precede it', `\r\n\r\n${OK}x a: b\r\n${REST}`, NO_TOKEN],
  ])('although %s', async (_what, answer, reason) => {
    const server = await startInParts([answer]);
    expect(await postLocally(server.url)).toEqual(odd(200, reason));
    await expect.poll(() => server.openConnections()).toBe(0);
    expect(server.connections()).toBe(1);
  });

  it.each([
    ['a 100', 'HTTP/1.1 100 Continue\r\n\r\nhttp/1.1 200 OK\r\n\r\n', NO_HTTP],
    ['a 100 whose lines end with LF', 'HTTP/1.1 100 Continue\n\nHTTP/1.1 200 OK\n\n', LF_ALONE],
    ['a 100 of another version', 'HTTP/2 100\r\n\r\nHTTP/2 200\r\n\r\n', NO_DOT],
    ['a hint', `HTTP/1.1 103 Hints\r\nlink: </x>\r\n\r\n${OK}nonsense\r\n\r\n`, NO_TOKEN],
    ['two interim answers', `HTTP/1.1 103 A\r\n\r\nHTTP/1.1 102 B\r\n\r\n${OK}nonsense\r\n\r\n`, NO_TOKEN],
  ])('behind %s', async (_what, answer, reason) => {
    expect(await postLocally((await startAnswering(answer)).url)).toEqual(odd(200, reason));
  });

  it.each([
    ['within its status line', ['HTTP/1', '.1 2', '00 O', 'K\r', '\nx a', ': b\r\n\r\n'], NO_TOKEN],
    ['within its headers', [`${OK}x-a`, ' : b', '\r\n\r', '\n'], NO_TOKEN],
    ['within an interim answer', ['HTTP/1.1 10', '0 Continue\r', '\n\r\n', `${OK}x a: b\r\n\r\n`], NO_TOKEN],
    ['after its status line', ['HTTP/2 200\r\n', REST], NO_DOT],
  ])('if it is split %s', async (_what, parts, reason) => {
    expect(await postLocally((await startInParts(parts)).url)).toEqual(odd(200, reason));
  });

  it.each([
    ['end', `${OK}x-a: b\r\n`],
    ['begin', OK],
    ['finish one', `${OK}x-a: b`],
  ])('at the deadline if its headers never %s', async (_what, answer) => {
    const server = await startAnswering(answer);
    const { result, ms } = await timed(postLocally(server.url, { timeoutMs: SOON_MS }));
    expect(result).toEqual(odd(200, 'timed_out'));
    expect(ms).toBeLessThan(SOON_MS + 1_000);
  });

  it('if the connection ends within its headers, and is not sent again', async () => {
    let requests = 0;
    const server = await startRequestServer((socket) => {
      requests += 1;
      if (requests === 1) socket.write(`${OK}${REST}`);
      else socket.end(`${OK}x-a: b\r\n`);
    });
    const transport = createLocalTransport();
    const request = { url: server.url, headers: {}, body: '{}' };
    expect(await transport.post(request)).toEqual({ kind: 'answered', status: 200, excerpt: 'ok' });
    expect(await transport.post(request)).toEqual(odd(200, 'UND_ERR_SOCKET'));
    expect(requests).toBe(2);
  });
});

describe('the status of an odd answer decides', () => {
  it.each([
    ['204', 'HTTP/1.1 204 No Content\n\n', odd(204, LF_ALONE)],
    ['302, which is not followed', 'HTTP/1.1 302 Found\r\nlocation : /x\r\n\r\n', odd(302, NO_TOKEN)],
    ['410', 'HTTP/1.1 410 Gone\nx-a: b\n\n', odd(410, LF_ALONE)],
    ['500', 'HTTP/2 500\r\nretry-after: 7\r\n\r\n', odd(500, NO_DOT)],
    ['429', 'HTTP/1.1 429 No\nRetry-After: 7\n\n', { ...odd(429, LF_ALONE), retryAfterMs: 7_000 }],
    [
      '429 with a blank',
      'HTTP/2 429\r\nRetry-After : 7\r\n\r\n',
      { ...odd(429, NO_DOT), retryAfterMs: 7_000 },
    ],
    ['429 without a wait', 'HTTP/1.1 429 No\r\nx a: b\r\n\r\n', odd(429, NO_TOKEN)],
    [
      '429 far before its wait',
      `HTTP/1.1 429 No\r\nx: ${FILLER}\r\nretry-after: 7\r\n\r\n`,
      odd(429, TOO_LONG),
    ],
    ['503', 'http/1.1 503 No\r\nretry-after:7 \r\n\r\nbusy', { ...odd(503, NO_HTTP), retryAfterMs: 7_000 }],
    [
      '503 until a distant date',
      'http/1.1 503 No\r\nretry-after: Fri, 01 Jan 2100 00:00:00 GMT\r\n\r\n',
      { ...odd(503, NO_HTTP), retryAfterMs: HOUR_MS },
    ],
    ['503 that may hide a wait', 'HTTP/2 503\r\nx-a: b\r\n\r\n', { ...odd(503, NO_DOT), retryAfterMs: 0 }],
    [
      '503 whose body names a wait',
      'HTTP/2 503\r\nx-a: b\r\n\r\nx\r\nretry-after: 7\r\n',
      { ...odd(503, NO_DOT), retryAfterMs: 0 },
    ],
  ])('%s', async (_what, answer, outcome) => {
    const server = await startAnswering(answer);
    expect(await postLocally(server.url)).toEqual(outcome);
    expect(server.connections()).toBe(1);
  });

  it('503 whose wait is cut off at the deadline', async () => {
    const server = await startAnswering('HTTP/1.1 503 No\r\nretry-after: 12');
    const outcome = await postLocally(server.url, { timeoutMs: SOON_MS });
    expect(outcome).toEqual({ ...odd(503, 'timed_out'), retryAfterMs: 0 });
  });
});

describe('an answer without a complete status line is a failure', () => {
  it.each([
    ['it is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['its status line comes later', `220 mail ESMTP\r\n${OK}${REST}`],
    ['a blank precedes it', ` ${OK}${REST}`],
    ['it has no version', 'HTTP 200 OK\r\n\r\n'],
    ['its status has two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['its status has four digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
    ['its status is a word', 'HTTP/1.1 twenty OK\r\n\r\n'],
    ['its status begins with zero', 'HTTP/1.1 099 OK\r\n\r\n'],
    ['it switches protocols unasked', 'HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
    ['it switches protocols, with small letters', 'http/1.1 101 X\r\n\r\n'],
    ['its version is endless', `HTTP/${'1'.repeat(100_000)}`],
    ['blanks without end precede its status', `HTTP/1.1${' '.repeat(100_000)}200 OK\r\n\r\n`],
    ['only its interim answer is complete', 'http/1.1 100 Continue\r\n\r\nhttp/1.1 20'],
    [
      'an interim answer fills the first kilobyte',
      `HTTP/2 103\r\nlink: ${'b'.repeat(1_024)}\r\n\r\n${OK}\r\n`,
    ],
  ])('if %s', async (_what, answer) => {
    const server = await startAnswering(answer);
    expect(await postLocally(server.url)).toMatchObject({ kind: 'failed', failure: 'protocol_error' });
    expect(server.connections()).toBe(1);
  });

  it.each([
    ['after the status', 'HTTP/1.1 200'],
    ['within the status', 'HTTP/1.1 20'],
    ['before LF', 'HTTP/1.1 200\r'],
  ])('if it is cut off %s', async (_what, start) => {
    const waiting = await startAnswering(start);
    const timedOut = { kind: 'failed', failure: 'timed_out' };
    expect(await postLocally(waiting.url, { timeoutMs: SOON_MS })).toMatchObject(timedOut);
    const ending = await startRequestServer((socket) => socket.end(start));
    expect(await postLocally(ending.url)).toMatchObject({ kind: 'failed', failure: 'protocol_error' });
  });

  it('even behind a good answer on the same connection', async () => {
    const server = await startRequestServer((socket, _, before) =>
      socket.write(before === 0 ? `${OK}${REST}` : 'nonsense\r\n\r\n'),
    );
    const transport = createLocalTransport();
    const request = { url: server.url, headers: {}, body: '{}' };
    await transport.post(request);
    expect(await transport.post(request)).toMatchObject({ kind: 'failed', failure: 'protocol_error' });
  });
});

describe('an attack on the parser stays harmless', () => {
  it('if a status line never ends: it is read until the deadline, and the memory does not grow', async () => {
    const chunk = 'a'.repeat(100_000);
    const server = await startRequestServer((socket) => {
      socket.write('HTTP/1.1 200 ');
      const flood = setInterval(() => socket.write(chunk), 1);
      socket.on('close', () => clearInterval(flood));
    });
    const { result, ms } = await timed(postLocally(server.url, { timeoutMs: 500 }));
    expect(result).toEqual(odd(200, 'timed_out'));
    expect(ms).toBeLessThan(1_500);
    await expect.poll(() => server.openConnections()).toBe(0);
  });

  it.each([
    ['blanks', ' '],
    ['tabs', '\t'],
    ['line ends', '\r\n'],
    ['status lines', 'HTTP/1.1 100 C\r\n\r\n'],
    ['names of the header', '\nretry-after: '],
  ])('if its first kilobyte consists of %s', (_what, text) => {
    const kilobyte = text.repeat(1_024);
    const starts = ['', 'HTTP/1.1 ', 'HTTP/1.1 503 X\r\nretry-after:'];
    const startedAt = performance.now();
    for (const start of starts) readOddAnswer(Buffer.from(start + kilobyte), new Error('x'));
    expect(performance.now() - startedAt).toBeLessThan(100);
  });
});
