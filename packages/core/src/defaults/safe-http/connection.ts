import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import type { PinnedConnect } from './pinned-connect.js';
import { createInterimWatch, skipContinue } from './skip-continue.js';

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
