import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { MAX_START_BYTES } from './odd-answer.js';
import { MAX_HEADER_BYTES, type PinnedConnect } from './pinned-connect.js';
import { loadedUndici } from './undici.js';

export interface HttpConnection {
  readonly origin: string;
  /** When the connection was opened, by `performance.now()`. */
  readonly openedAt: number;
  /** A running number of the pool. Only the pool changes it. */
  idleSince: number;
  /** True after the first exchange on this connection. The server may be closing a reused connection. */
  isReused(): boolean;
  isClosed(): boolean;
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** Returns the first bytes of the answer to the last request, at least a kilobyte if there are so many. */
  start(): Buffer;
  /** Returns the first error of the socket, which undici hides behind a later one. Null if it had none. */
  firstError(): Error | null;
  exchanged(): void;
  destroy(): void;
}

const KEEP_ALIVE_MS = 5_000;

/**
 * Creates a connection without timeouts of its own, because the caller's deadline covers the whole exchange.
 */
export function createHttpConnection(
  origin: string,
  connect: PinnedConnect,
  onClosed: () => void,
): HttpConnection {
  let opening: { destroy(): void } | null = null;
  let hasExchanged = false;
  let isClosed = false;
  let firstError: Error | null = null;
  const interim = createInterimWatch();
  const start = createStartOfAnswer();
  const { Client } = loadedUndici();
  const client = new Client(origin, {
    connect: (options, callback) => {
      opening = connect(options, (error, socket) => {
        socket?.once('error', (first) => {
          firstError = first;
        });
        if (error === null) callback(null, watchReads(socket, interim, start));
        else callback(error, null);
      });
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
    opening?.destroy();
    client.destroy(null, ignore);
    onClosed();
  };
  client.on('disconnect', close);
  client.on('connectionError', close);
  return {
    origin,
    openedAt: performance.now(),
    idleSince: 0,
    isReused: () => hasExchanged,
    isClosed: () => isClosed,
    dispatch: (request, handler) => {
      interim.restart();
      start.restart();
      client.dispatch(request, handler);
    },
    start: start.bytes,
    firstError: () => firstError,
    exchanged: () => {
      hasExchanged = true;
    },
    destroy: close,
  };
}

function ignore(): void {}

interface InterimWatch {
  restart(): void;
  /** Changes each status `100` to `102`, in place. */
  disguise(chunk: Buffer): void;
}

const LF = 0x0a;
const CR = 0x0d;
const ZERO = 0x30;
const DIGIT_ONE = 0x31;
const TWO = 0x32;
/** In `HTTP/1.1 100`. */
const FIRST_DIGIT = 9;
const LAST_DIGIT = 11;

/**
 * Watches for interim responses. Some proxies answer every POST with `100 Continue` first, and undici fails
 * on this status. The watch rewrites it to `102`, which undici ignores.
 */
function createInterimWatch(): InterimWatch {
  let position: number | null = 0;
  let isLineEmpty = false;
  let isTenth = false;

  function onStatusLine(chunk: Buffer, index: number, at: number): void {
    const byte = chunk[index];
    if (at === 0 && (byte === CR || byte === LF)) return;
    position = at === FIRST_DIGIT && byte !== DIGIT_ONE ? null : at + 1;
    if (at === LAST_DIGIT - 1) isTenth = byte === ZERO;
    if (at === LAST_DIGIT && isTenth && byte === ZERO) chunk[index] = TWO;
    isLineEmpty = false;
  }

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

interface StartOfAnswer {
  restart(): void;
  add(chunk: Buffer): void;
  bytes(): Buffer;
}

/** Refers to the first chunks of an answer, without a copy: they are only read if the parser refuses the answer. */
function createStartOfAnswer(): StartOfAnswer {
  let chunks: Buffer[] = [];
  let size = 0;
  return {
    restart() {
      chunks = [];
      size = 0;
    },
    add(chunk) {
      if (size < MAX_START_BYTES) chunks.push(chunk);
      size += chunk.length;
    },
    bytes: () => Buffer.concat(chunks),
  };
}

function watchReads(socket: Socket, watch: InterimWatch, start: StartOfAnswer): Socket {
  const read = socket.read.bind(socket);
  socket.read = (size?: number) => {
    const chunk: unknown = read(size);
    if (Buffer.isBuffer(chunk)) {
      start.add(chunk);
      watch.disguise(chunk);
    }
    return chunk;
  };
  return socket;
}
