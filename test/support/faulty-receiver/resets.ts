import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { answer, answered, type Behaviour, failed, oddly, reply, say } from './behaviour.js';

const CLIENT_WAITS = '\u0016\u0003\u0003\u0000\u007a';

/** Receivers with invalid TLS. They would respond with a success, but must not be reached. */
export const TLS: readonly Behaviour[] = [
  ...(['expired', 'other_host', 'unknown_authority', 'old_tls'] as const).map(
    (port): Behaviour => ({
      name: `has TLS that is not in order: ${port}`,
      port,
      play: say(reply(200, 'trusted')),
      ends: [failed('tls_failed')],
    }),
  ),
  {
    name: 'speaks plain http on the https port',
    port: 'plain',
    play: (socket) => void socket.once('data', () => socket.end(reply(200, 'trusted'))),
    ends: [failed('tls_failed')],
  },
  {
    name: 'says nothing where TLS begins',
    port: 'plain',
    play: (socket) => void socket.resume(),
    ends: [failed('timed_out')],
  },
  {
    name: 'stops within the handshake',
    port: 'plain',
    play: (socket) => void socket.once('data', () => socket.write(CLIENT_WAITS, 'latin1')),
    ends: [failed('timed_out')],
  },
  { name: 'has TLS in order', play: say(reply(200, 'trusted')), ends: [answered(200, 'trusted')] },
];

/**
 * How long a behavior waits for its bytes to arrive before it resets the connection, in milliseconds. A reset would
 * discard them.
 */
const ARRIVED_AFTER_MS = 20;

/** Receivers that reset or close the connection at every stage. */
export const RESETS: readonly Behaviour[] = [
  {
    name: 'resets as it accepts',
    port: 'plain',
    play: (socket) => void socket.resetAndDestroy(),
    ends: [failed('tls_failed', 'connection_failed')],
  },
  {
    name: 'closes as it accepts',
    port: 'plain',
    play: (socket) => void socket.resume().end(),
    ends: [failed('tls_failed')],
  },
  {
    name: 'resets within the handshake',
    port: 'plain',
    play: (socket) => void socket.once('data', () => socket.resetAndDestroy()),
    ends: [failed('tls_failed')],
  },
  {
    name: 'closes after the handshake',
    play: (socket) => void socket.end(),
    ends: [failed('protocol_error')],
  },
  {
    name: 'resets at the first byte of a request',
    play: (socket) => void socket.once('data', () => reset(socket)),
    ends: [failed('protocol_error')],
  },
  {
    name: 'resets after the request',
    play: answer((socket) => reset(socket)),
    ends: [failed('protocol_error')],
  },
  {
    name: 'closes after the request',
    play: answer((socket) => void socket.end()),
    ends: [failed('protocol_error')],
  },
  ...breaking('within its status line', 'HTTP/1.1 20', failed('protocol_error')),
  ...breaking('after its status line', 'HTTP/1.1 200 OK\r\n', oddly(200)),
  ...breaking('within its header fields', 'HTTP/1.1 200 OK\r\ncontent-le', oddly(200)),
  ...breaking('before its body', 'HTTP/1.1 500 No\r\ncontent-length: 9\r\n\r\n', answered(500)),
  ...breaking('within its body', 'HTTP/1.1 500 No\r\ncontent-length: 9\r\n\r\nhalf', answered(500, 'half')),
  ...breaking('within a success', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf', answered(200, 'half')),
  {
    name: 'closes each connection 50 ms after its answer',
    play: answer((socket) => {
      socket.write(reply(200, 'ok'));
      setTimeout(() => socket.end(), 50);
    }),
    ends: [answered(200, 'ok')],
  },
];

/** Returns two behaviors: one resets the connection after a part of the response, the other closes it. */
function breaking(when: string, start: string, end: Behaviour['ends'][0]): readonly Behaviour[] {
  const after = (abort: (socket: Socket) => void) =>
    answer((socket) => socket.write(start, () => setTimeout(abort, ARRIVED_AFTER_MS, socket)));
  return [
    { name: `resets ${when}`, play: after(reset), ends: [end] },
    { name: `closes ${when}`, play: after((socket) => void socket.end()), ends: [end] },
  ];
}

/** Resets a connection. A TLS connection is closed without a TLS alert. */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}
