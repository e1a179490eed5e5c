import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { answer, answered, type Behaviour, reply, say } from './behaviour.js';

/** A body after decompression. It is large enough that decompressing it shows in the sender's memory. */
const INFLATED = Buffer.alloc(20_000_000, 'b');

/** Receivers with harmful bodies. */
export const BODIES: readonly Behaviour[] = [
  endless('answers with an endless body', 200),
  endless('refuses with an endless body', 503),
  bomb('gzip', gzipSync(INFLATED)),
  bomb('deflate', deflateSync(INFLATED)),
  bomb('br', brotliCompressSync(INFLATED)),
  refusal('NUL bytes', '{"a":"\u0000\u0000"}', '{"a":"  "}'),
  refusal(
    'bytes that are no UTF-8',
    Buffer.from([0x61, 0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0x62]),
    /^a\?+b$/,
  ),
  refusal('a kilobyte that ends within a character', `${'x'.repeat(1_023)}é`, 'x'.repeat(1_023)),
  refusal(
    'commands to a terminal',
    '\u001b]0;owned\u0007\u001b[2Jdone\u009b31m',
    /^[^\p{Cc}]*done[^\p{Cc}]*$/u,
  ),
  refusal('text that is turned around', 'access \u202egranted\u2066', 'access  granted'),
  refusal('a script', '<script>alert(1)</script>', '<script>alert(1)</script>'),
  refusal('quotes and statements', "'); drop table ph_event; --", "'); drop table ph_event; --"),
  refusal('a megabyte', 'm'.repeat(1_000_000), 'm'.repeat(1_024)),
];

function refusal(what: string, body: string | Buffer, excerpt: string | RegExp): Behaviour {
  return { name: `refuses with ${what}`, play: say(reply(500, body)), ends: [answered(500, excerpt)] };
}

/**
 * Returns a receiver whose small compressed body inflates to 20 MB. The sender must keep the compressed
 * bytes.
 */
function bomb(encoding: string, body: Buffer): Behaviour {
  return {
    name: `refuses with a bomb in ${encoding}`,
    play: say(reply(500, body, [`content-encoding: ${encoding}`])),
    ends: [answered(500, /^(?!.*bbbbbbbb)[^\p{Cc}]{1,1024}$/u)],
  };
}

function endless(name: string, status: number): Behaviour {
  return {
    name,
    play: answer((socket) => {
      socket.write(`HTTP/1.1 ${status} \r\n\r\n`);
      pour(socket);
    }),
    ends: [answered(status, 'y'.repeat(1_024))],
  };
}

function pour(socket: Socket): void {
  const more = () => {
    while (socket.writable && socket.write('y'.repeat(16_384)));
  };
  socket.on('drain', more);
  more();
}
