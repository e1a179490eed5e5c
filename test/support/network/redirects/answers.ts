import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Kind, Step } from './kind.js';
import { fileReply, type Reply, redirectReply, stepUrl } from './web.js';

const PIECE_BYTES = 256 * 1024;

/** Sends the start, and then the rest for ever. */
function endless(start: string | Buffer, rest: string): Reply {
  const piece = rest.repeat(PIECE_BYTES / rest.length);
  return (socket) => {
    const more = () => socket.writable && socket.write(piece, () => setImmediate(more));
    socket.write(start);
    more();
  };
}

/** Sends one byte at a time, for ever. */
function dripping(start: string | Buffer, rest: string): Reply {
  return (socket) => {
    socket.write(start);
    const drip = setInterval(() => socket.write(rest), 20);
    socket.on('close', () => clearInterval(drip));
  };
}

const BOMB = gzipSync(Buffer.alloc(5_000_000, '%PDF-'));

/** Redirects whose body the client must not read. The next step has the résumé. */
function heavy(title: string, body: (head: (headers: string) => Buffer) => Reply): Kind {
  return {
    kind: 'a heavy redirect',
    title: `a redirect with ${title}`,
    outcomes: ['fetched'],
    requests: 2,
    ends: ({ status, scheme, chain, step }) => [
      body((headers) => redirectReply(status, stepUrl(scheme, chain, step + 1), `${headers}\r\n\r\n`)),
    ],
  };
}

function landing(title: string, outcome: string, reply: Reply, requests: number | null = 1): Kind {
  return { kind: 'a hostile answer', title, outcomes: [outcome], requests, ends: () => [reply] };
}

/** Answers that are huge, endless or broken. */
export const BODIES: readonly Kind[] = [
  heavy('an endless body', (head) => endless(head('transfer-encoding: identity'), '%PDF-1.7')),
  heavy('a body that is announced and never comes', (head) => head('content-length: 999999999')),
  heavy('a body in endless pieces', (head) => endless(head('transfer-encoding: chunked'), '5\r\n%PDF-\r\n')),
  heavy('a dripping body', (head) => dripping(head('content-length: 5000'), 'x')),
  heavy('a bomb', (head) =>
    Buffer.concat([head(`content-encoding: gzip\r\ncontent-length: ${BOMB.length}`), BOMB]),
  ),
  landing('an endless file', 'too_large', endless(fileReply(''), '%PDF-1.7')),
  landing(
    'a bomb',
    'too_large',
    Buffer.concat([
      Buffer.from(
        fileReply(`content-encoding: gzip\r\ncontent-length: ${BOMB.length}`).replace('%PDF-1.7', ''),
      ),
      BOMB,
    ]),
  ),
  landing(
    'a web page',
    'unsupported_content',
    fileReply('content-length: 21').replace('%PDF-1.7', '<title>Sign in</title>'.slice(0, 21)),
  ),
  landing('nothing', 'empty', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
  landing('half a file', 'protocol_error', (socket) => socket.end(fileReply('content-length: 9999')), null),
  landing('a reset', 'protocol_error', (socket) => socket.resetAndDestroy(), null),
  landing('garbage', 'protocol_error', (socket) => socket.end('+OK 2 unread\r\n.\r\n'), null),
  landing(
    'an upgrade',
    'protocol_error',
    'HTTP/1.1 101 Go\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    null,
  ),
  landing('headers without end', 'protocol_error', endless('HTTP/1.1 302 Moved\r\n', 'x: y\r\n'), null),
  landing('a refusal', 'bad_status', 'HTTP/1.1 403 No\r\ncontent-length: 0\r\n\r\n'),
];

/**
 * The deadline for slow chains, in milliseconds. The slow steps of a chain take longer together, but no step does
 * alone.
 */
export const SLOW_DEADLINE_MS = 400;
const SLOW_STEP_MS = 150;

function slow(title: string, ends: Kind['ends'], scheme?: 'https'): Kind {
  return {
    kind: 'a slow step',
    title,
    outcomes: ['timed_out'],
    requests: null,
    isSlow: true,
    ends,
    ...(scheme && { scheme }),
  };
}

/** Answers that do not end before the deadline. */
export const SLOW: readonly Kind[] = [
  slow('silence', () => [() => {}]),
  slow('silence over TLS', () => [() => {}], 'https'),
  slow('a dripping head', ({ status }) => [dripping(`HTTP/1.1 ${status} Moved\r\nx: `, 'x')]),
  slow('interim answers', () => [dripping('', 'HTTP/1.1 103 Hints\r\nlocation: http://10.0.0.1/\r\n\r\n')]),
  slow('a dripping file', () => [dripping(fileReply('content-length: 9999'), 'x')]),
  slow('steps that are slow together', (first) =>
    [0, 1, 2].map((more) => late({ ...first, step: first.step + more })),
  ),
];

/** A redirect that comes late. */
function late({ status, scheme, chain, step }: Step): Reply {
  return (socket: Socket) => {
    setTimeout(() => socket.write(redirectReply(status, stepUrl(scheme, chain, step + 1))), SLOW_STEP_MS);
  };
}
