import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import { OperatorError } from '../../errors.js';
import type { PinnedConnect } from './pinned-connect.js';

/** One connection to an origin, for one exchange at a time. */
export interface Connection {
  readonly origin: string;
  /** Whether it carried an exchange before: then its server may just be closing it. */
  isReused(): boolean;
  /** Whether it was given up or closed and can carry nothing more. */
  isClosed(): boolean;
  /** Starts an exchange; connects first if need be. */
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** Notes that an exchange ended well: whatever comes next is on a reused connection. */
  exchanged(): void;
  /** Gives it up at once, also while it is still connecting. */
  destroy(): void;
}

/** Idle longer than this, a connection is closed: long enough for a burst of events, and no longer. */
const KEEP_ALIVE_MS = 5_000;
/** The most that an answer's header fields may take together. */
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Wraps a client that holds one connection. Its own partial timers are switched off: one deadline, the
 * caller's, covers everything.
 *
 * @param onClosed - called once when the connection is closed, by whichever side.
 */
export function createConnection(origin: string, connect: PinnedConnect, onClosed: () => void): Connection {
  let socket: Socket | null = null;
  let hasExchanged = false;
  let isClosed = false;
  const interim = createInterimWatch();
  const client = new Client(origin, {
    connect: (options, callback) => {
      socket = skipContinue(connect(options, callback), interim);
    },
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    socket?.destroy();
    client.destroy(null, ignore);
    onClosed();
  };
  client.on('disconnect', close);
  client.on('connectionError', close);
  return {
    origin,
    isReused: () => hasExchanged,
    isClosed: () => isClosed,
    dispatch: (request, handler) => {
      interim.restart();
      client.dispatch(request, handler);
    },
    exchanged: () => {
      hasExchanged = true;
    },
    destroy: close,
  };
}

function ignore(): void {}

/** Watches what comes over a connection for interim answers. */
interface InterimWatch {
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
function createInterimWatch(): InterimWatch {
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
function skipContinue(socket: Socket, watch: InterimWatch): Socket {
  const read = socket.read.bind(socket);
  socket.read = (size?: number) => {
    const chunk: unknown = read(size);
    if (Buffer.isBuffer(chunk)) watch.disguise(chunk);
    return chunk;
  };
  return socket;
}

/**
 * Bun gives its own in the place of undici: by that nothing can be sent.
 *
 * @throws OperatorError `MISCONFIGURED`
 */
export function assertUndici(client: { readonly prototype: object } = Client): void {
  if ('dispatch' in client.prototype) return;
  throw new OperatorError(
    'MISCONFIGURED',
    'Webhooks and résumés go by undici, in whose place this runtime has something else, as Bun does. Start the worker ' +
      'in a process of Node, on the same database; the API itself runs here.',
  );
}
