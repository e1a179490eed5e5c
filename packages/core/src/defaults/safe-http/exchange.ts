import type { IncomingHttpHeaders } from 'node:http';
import type { Connection } from './connection.js';
import type { ConnectionPool } from './connection-pool.js';
import { TransportError } from './transport-error.js';

/** A request as it goes over a connection. */
export interface ExchangeRequest {
  readonly method: 'GET' | 'POST';
  readonly origin: string;
  /** With its query. */
  readonly path: string;
  /** Besides `accept-encoding`: nothing that would have to be undone is asked for. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null for none. */
  readonly body: string | null;
  readonly answer: AnswerLimits;
}

/** How much of an answer's body is waited for. Whatever becomes of the body, the status stands. */
interface AnswerLimits {
  readonly maxBytes: number;
  /** How long after the status the body may take, in milliseconds; null for as long as the deadline lets it. */
  readonly maxMs: number | null;
}

/** How an exchange ended. */
export type ExchangeEnd =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      /** At most as many bytes as were asked for. */
      readonly body: Buffer;
      readonly bodyEnd: BodyEnd;
    }
  /** `isStarted`: whether the answer had begun. */
  | { readonly kind: 'unanswered'; readonly error: unknown; readonly isStarted: boolean };

/** How reading the body ended: to its end, at the limit, by the connection breaking off, or out of time. */
type BodyEnd = 'complete' | 'limit' | 'broken' | 'time';

/** Whom an exchange tells how it ended. */
type OnEnd = (end: ExchangeEnd) => void;

/** The moment by which all must be over, over however many connections it goes. */
export interface Deadline {
  /** Ends the exchange that is under way. */
  onExpiry(): void;
}

/**
 * Runs one exchange over a connection, and tells how it ended, once, perhaps before this returns. The connection is
 * then either good for another exchange (a complete body) or destroyed. One closure for each thing that can happen
 * and no promise: this runs for every attempt.
 */
export function exchange(
  connection: Connection,
  request: ExchangeRequest,
  deadline: Deadline,
  onEnd: OnEnd,
): void {
  const { maxBytes, maxMs } = request.answer;
  const chunks: Buffer[] = [];
  let size = 0;
  let isStarted = false;
  let isEnded = false;
  let head: Head | null = null;
  let bodyTimer: NodeJS.Timeout | undefined;

  function finish(end: ExchangeEnd, isReusable: boolean): void {
    if (isEnded) return;
    isEnded = true;
    if (bodyTimer !== undefined) clearTimeout(bodyTimer);
    if (isReusable) connection.exchanged();
    else connection.destroy();
    onEnd(end);
  }

  function endBody(bodyEnd: BodyEnd): void {
    if (head === null) return;
    const { status, headers } = head;
    const body = chunks.length === 0 ? NO_BODY : Buffer.concat(chunks).subarray(0, maxBytes);
    finish({ kind: 'answered', status, headers, body, bodyEnd }, bodyEnd === 'complete');
  }

  function fail(error: unknown, bodyEnd: BodyEnd): void {
    if (head === null) finish({ kind: 'unanswered', error, isStarted }, false);
    else endBody(bodyEnd);
  }

  // A function that is written where it is assigned to a property is made in V8's old generation, and would keep all of
  // this alive until the next full collection.
  function expire(): void {
    fail(new TransportError('timed_out', 'There was no answer in time.'), 'time');
  }

  deadline.onExpiry = expire;
  connection.dispatch(dispatchOptions(request), {
    onRequestStart,
    onResponseStarted() {
      isStarted = true;
    },
    onResponseStart(_controller, status, headers) {
      if (status < 200) return;
      head = { status, headers };
      if (maxMs !== null && !isBodiless(head)) bodyTimer = setTimeout(endBody, maxMs, 'time');
    },
    onResponseData(_controller, chunk) {
      if (isEnded) return;
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) endBody('limit');
    },
    onResponseEnd: () => endBody('complete'),
    onResponseError: (_controller, error) => fail(error, 'broken'),
  });
}

interface Head {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

const NO_BODY = Buffer.alloc(0);

function onRequestStart(): void {}

/** Its end comes with its head, so that nothing need watch for it. */
function isBodiless({ status, headers }: Head): boolean {
  return status === 204 || status === 304 || headers['content-length'] === '0';
}

/** The headers in a flat list, as the client writes them: an object made of two takes several times as long. */
function dispatchOptions({ method, path, headers, body }: ExchangeRequest) {
  const list = ['accept-encoding', 'identity'];
  for (const name of Object.keys(headers)) list.push(name, headers[name] ?? '');
  return { method, path, headers: list, body };
}

/** Runs one exchange over a connection of a pool, within so many milliseconds, and tells how it ended. */
type ExchangeOnce = (request: ExchangeRequest, timeoutMs: number, onEnd: OnEnd) => void;

/**
 * Once as the server sees it: what a closing connection swallowed goes again over a fresh one, if it may. One deadline
 * covers both.
 *
 * The exchange expires only after the event loop has read its sockets once more. A process that was blocked past the
 * deadline runs its timers first, and would otherwise report a timeout although the answer had arrived.
 */
export function createExchangeOnce(pool: ConnectionPool, mayRepeat: () => boolean): ExchangeOnce {
  return (request, timeoutMs, onEnd) => {
    const connection = obtain(pool.take, request.origin, onEnd);
    if (connection === null) return;
    const wasReused = connection.isReused();
    const deadline: Deadline = { onExpiry() {} };
    const timer = setTimeout(() => setImmediate(() => deadline.onExpiry()), timeoutMs);

    function end(last: ExchangeEnd): void {
      clearTimeout(timer);
      onEnd(last);
    }

    function exchangeAgain(): void {
      const fresh = obtain(pool.open, request.origin, end);
      if (fresh === null) return;
      exchange(fresh, request, deadline, (freshEnd) => {
        pool.release(fresh);
        end(freshEnd);
      });
    }

    exchange(connection, request, deadline, (first) => {
      pool.release(connection);
      if (wasReused && wasSwallowed(first) && mayRepeat()) exchangeAgain();
      else end(first);
    });
  };
}

/** Null where making a connection threw: the exchange has then ended with what it threw. */
function obtain(from: (origin: string) => Connection, origin: string, onEnd: OnEnd): Connection | null {
  try {
    return from(origin);
  } catch (error) {
    onEnd({ kind: 'unanswered', error, isStarted: false });
    return null;
  }
}

/** Whether a connection closed before any byte of an answer: its server gave it up as we began to write. */
function wasSwallowed(end: ExchangeEnd): boolean {
  return end.kind === 'unanswered' && !end.isStarted && !(end.error instanceof TransportError);
}
