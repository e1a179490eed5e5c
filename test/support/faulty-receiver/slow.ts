import type { Socket } from 'node:net';
import { answer, answered, type Behaviour, failed, oddly, reply } from './behaviour.js';

/** The interval between two written pieces, in milliseconds. It is short compared with every deadline of a test. */
const DROP_EVERY_MS = 15;
/** A delay that is shorter than every deadline of a test. */
const A_LITTLE_MS = 60;
/** A delay that is longer than the deadline of the tests that use it. */
const MUCH_TOO_LATE_MS = 2_000;

/** Slow receivers. */
export const SLOW: readonly Behaviour[] = [
  {
    name: 'answers a little late',
    play: answer((socket) => void setTimeout(() => socket.write(reply(200, 'ok')), A_LITTLE_MS)),
    ends: [answered(200, 'ok')],
  },
  {
    name: 'refuses a little late',
    play: answer((socket) => void setTimeout(() => socket.write(reply(500, 'no')), A_LITTLE_MS)),
    ends: [answered(500, 'no')],
  },
  { name: 'never answers', play: answer(() => {}), ends: [failed('timed_out')] },
  {
    name: 'reads when it is too late',
    play: (socket) => void setTimeout(() => socket.resume(), MUCH_TOO_LATE_MS),
    ends: [failed('timed_out')],
  },
  {
    name: 'drips its status line',
    play: answer((socket) => drip(socket, ['HTTP/1.1 2', '0', '0', ' O', 'K'], '!')),
    ends: [oddly(200)],
  },
  {
    name: 'stops in its status line',
    play: answer((socket) => void socket.write('HTTP/1.1 20')),
    ends: [failed('timed_out')],
  },
  {
    name: 'drips header fields',
    play: answer((socket) => drip(socket, ['HTTP/1.1 200 OK\r\n'], 'x-drop: y\r\n')),
    ends: [oddly(200)],
  },
  {
    name: 'drips one header field',
    play: answer((socket) => drip(socket, ['HTTP/1.1 200 OK\r\nx-drop: '], 'y')),
    ends: [oddly(200)],
  },
  {
    name: 'drips hints',
    play: answer((socket) => drip(socket, [], 'HTTP/1.1 103 Early Hints\r\n\r\n')),
    ends: [failed('timed_out')],
  },
  {
    name: 'drips the body of a success',
    play: answer((socket) => drip(socket, ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'], DROP)),
    ends: [answered(200, /^z*$/)],
  },
  {
    name: 'drips the body of a refusal',
    play: answer((socket) => drip(socket, ['HTTP/1.1 503 No\r\ntransfer-encoding: chunked\r\n\r\n'], DROP)),
    ends: [answered(503, /^z*$/)],
  },
  {
    name: 'announces a body that never comes',
    play: answer((socket) => void socket.write('HTTP/1.1 500 No\r\ncontent-length: 9\r\n\r\n')),
    ends: [answered(500)],
  },
];

/** A chunk of one byte in chunked encoding. */
const DROP = '1\r\nz\r\n';

/** Writes the texts of `first` one at a time, then repeats `then` until the other side closes. */
function drip(socket: Socket, first: readonly string[], then: string): void {
  const waiting = [...first];
  const timer = setInterval(() => socket.write(waiting.shift() ?? then), DROP_EVERY_MS);
  socket.on('close', () => clearInterval(timer));
}
