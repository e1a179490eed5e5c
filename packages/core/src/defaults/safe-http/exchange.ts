import type { IncomingHttpHeaders } from 'node:http';
import { onImmediate } from '../../real-timers.js';
import type { HttpConnection } from './connection.js';
import type { ConnectionPool } from './connection-pool.js';
import { readOddAnswer } from './odd-answer.js';
import { TransportError } from './transport-error.js';

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST';
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly answer: AnswerLimits;
}

/** Limits on the response body. If a limit cuts the body, the status still counts. */
interface AnswerLimits {
  readonly maxBytes: number;
  /** The time for the body, in milliseconds after the status arrived. Null means until the deadline. */
  readonly maxMs: number | null;
  /** Returns whether to close the connection at this status, without the body. By default, always reads the body. */
  readonly isHeadEnough?: (status: number) => boolean;
  /** Whether the status of an answer counts that is not HTTP to the letter. Its headers and body are not read. */
  readonly isStatusEnough?: boolean;
}

export type ExchangeEnd =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly body: Buffer;
      readonly bodyEnd: BodyEnd;
      /** Why the answer is not HTTP to the letter. */
      readonly oddAnswer?: string;
    }
  | { readonly kind: 'unanswered'; readonly error: unknown; readonly isStarted: boolean };

/**
 * Why the body ended. `limit`: it was cut at `maxBytes`. `time`: it was cut at `maxMs` or at the deadline.
 */
type BodyEnd = 'complete' | 'limit' | 'broken' | 'time';

type OnEnd = (end: ExchangeEnd) => void;

export interface Deadline {
  onExpiry(): void;
}

/**
 * Sends a request and calls `onEnd` once, possibly before `exchange` returns. Uses callbacks instead of
 * promises for speed, because it runs for every attempt.
 */
export function exchange(
  connection: HttpConnection,
  request: ExchangeRequest,
  deadline: Deadline,
  onEnd: OnEnd,
): void {
  const { maxBytes, maxMs, isHeadEnough, isStatusEnough = false } = request.answer;
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

  function fail(last: unknown, bodyEnd: BodyEnd): void {
    if (head === null) finish(endWithoutHead(connection.firstError() ?? last), false);
    else endBody(bodyEnd);
  }

  function endWithoutHead(error: unknown): ExchangeEnd {
    const odd = isStatusEnough ? readOddAnswer(connection.start(), error) : null;
    if (odd === null) return { kind: 'unanswered', error, isStarted };
    const { status, reason: oddAnswer, retryAfter } = odd;
    const headers = { 'retry-after': retryAfter };
    return { kind: 'answered', status, headers, body: NO_BODY, bodyEnd: 'broken', oddAnswer };
  }

  // Declared by name: V8 would allocate a function literal assigned to `onExpiry` in its old generation,
  // where it would keep this exchange in memory for too long.
  function expire(): void {
    fail(new TransportError('timed_out', 'No response arrived in time.'), 'time');
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
      if (isHeadEnough?.(status) === true) return endBody('limit');
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

function isBodiless({ status, headers }: Head): boolean {
  return status === 204 || status === 304 || headers['content-length'] === '0';
}

/** Passes the headers as a list, which is several times faster than merging objects. */
function dispatchOptions({ method, path, headers, body }: ExchangeRequest) {
  const list = ['accept-encoding', 'identity'];
  for (const name of Object.keys(headers)) list.push(name, headers[name] ?? '');
  return { method, path, headers: list, body };
}

type ExchangeOnce = (request: ExchangeRequest, timeoutMs: number, onEnd: OnEnd) => void;

/**
 * Returns a function that sends a request, and repeats it once if a reused connection closed before the
 * response. At the deadline, the function reads the sockets once more, because the process may have been
 * blocked.
 */
export function createExchangeOnce(pool: ConnectionPool, mayRepeat: () => boolean): ExchangeOnce {
  return (request, timeoutMs, onEnd) => {
    const connection = obtain(pool.take, request.origin, onEnd);
    if (connection === null) return;
    const wasReused = connection.isReused();
    const deadline: Deadline = { onExpiry() {} };
    const timer = setTimeout(() => onImmediate(() => deadline.onExpiry()), timeoutMs);

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

function obtain(
  from: (origin: string) => HttpConnection,
  origin: string,
  onEnd: OnEnd,
): HttpConnection | null {
  try {
    return from(origin);
  } catch (error) {
    onEnd({ kind: 'unanswered', error, isStarted: false });
    return null;
  }
}

function wasSwallowed(end: ExchangeEnd): boolean {
  return end.kind === 'unanswered' && !end.isStarted && !(end.error instanceof TransportError);
}
