import type { Socket } from 'node:net';

/** Watches what comes over a connection for interim answers. */
export interface InterimWatch {
  /** An exchange starts: what comes next is the start of an answer. */
  restart(): void;
  /** Makes each `100` in the status line of an interim answer a `102`, in place. Takes answers in any pieces. */
  disguise(chunk: Buffer): void;
}

const LF = 0x0a;
const CR = 0x0d;
const ZERO = 0x30;
const ONE = 0x31;
const TWO = 0x32;
/** Of the status in `HTTP/1.1 100`: where its first digit is, and its last. */
const FIRST_DIGIT = 9;
const LAST_DIGIT = 11;

/**
 * A client must pass over interim answers that it did not ask for (RFC 9110, section 15.2), and some servers and
 * proxies say `100 Continue` to every POST. undici passes over all others, but breaks the connection off at this one:
 * the answer behind it, a 2xx perhaps, would be lost. So undici is shown `102 Processing` in its place.
 */
export function createInterimWatch(): InterimWatch {
  /** How much of a status line has come; null once the answer that counts has begun. */
  let position: number | null = 0;
  let isLineEmpty = false;
  let isTenth = false;

  function onStatusLine(chunk: Buffer, index: number, at: number): void {
    const byte = chunk[index];
    if (at === 0 && (byte === CR || byte === LF)) return;
    position = at === FIRST_DIGIT && byte !== ONE ? null : at + 1;
    if (at === LAST_DIGIT - 1) isTenth = byte === ZERO;
    if (at === LAST_DIGIT && isTenth && byte === ZERO) chunk[index] = TWO;
    isLineEmpty = false;
  }

  /** To the blank line that ends an interim answer: another status line comes after it. */
  function onFields(byte: number | undefined): void {
    if (byte === CR) return;
    if (byte === LF && isLineEmpty) position = 0;
    isLineEmpty = byte === LF;
  }

  return {
    restart() {
      position = 0;
    },
    disguise(chunk) {
      for (let index = 0; index < chunk.length && position !== null; index += 1) {
        if (position <= LAST_DIGIT) onStatusLine(chunk, index, position);
        else onFields(chunk[index]);
      }
    },
  };
}

/** Has a socket show what it reads to a watch before anybody else sees it. */
export function skipContinue(socket: Socket, watch: InterimWatch): Socket {
  const read = socket.read.bind(socket);
  socket.read = (size?: number) => {
    const chunk: unknown = read(size);
    if (Buffer.isBuffer(chunk)) watch.disguise(chunk);
    return chunk;
  };
  return socket;
}
