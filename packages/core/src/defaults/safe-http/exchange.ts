import type { IncomingHttpHeaders } from 'node:http';
import type { Connection } from './connection.js';
import type { Deadline } from './deadline.js';
import { TransportError } from './transport-error.js';

/** A request as it goes over a connection. */
export interface ExchangeRequest {
  readonly method: 'GET' | 'POST';
  readonly origin: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null for none. */
  readonly body: string | null;
  readonly answer: AnswerLimits;
}

/** How much of an answer's body is waited for. Whatever becomes of the body, the status stands. */
export interface AnswerLimits {
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
export type BodyEnd = 'complete' | 'limit' | 'broken' | 'time';

/**
 * Runs one exchange over a connection. Never rejects. Afterwards the connection is either good for another
 * exchange (a complete body) or destroyed.
 */
export function exchange(
  connection: Connection,
  request: ExchangeRequest,
  deadline: Deadline,
): Promise<ExchangeEnd> {
  return new Promise((resolve) => {
    const answer = createAnswer(request.answer, (end) => {
      if (end.kind === 'answered' && end.bodyEnd === 'complete') connection.exchanged();
      else connection.destroy();
      resolve(end);
    });
    deadline.onExpiry(answer.expire);
    connection.dispatch(dispatchOptions(request), {
      onRequestStart: () => {},
      onResponseStarted: answer.start,
      onResponseStart: (_controller, status, headers) => answer.head(status, headers),
      onResponseData: (_controller, chunk) => answer.add(chunk),
      onResponseEnd: () => answer.end('complete'),
      onResponseError: (_controller, error) => answer.fail(error),
    });
  });
}

function dispatchOptions({ method, path, headers, body }: ExchangeRequest) {
  return { method, path, headers, body };
}

/** Collects an answer and calls `finish` exactly once. */
function createAnswer({ maxBytes, maxMs }: AnswerLimits, finish: (end: ExchangeEnd) => void) {
  const chunks: Buffer[] = [];
  let size = 0;
  let isStarted = false;
  let isFinished = false;
  let received: { readonly status: number; readonly headers: IncomingHttpHeaders } | null = null;
  let bodyTimer: NodeJS.Timeout | undefined;

  function finishOnce(end: ExchangeEnd): void {
    if (isFinished) return;
    isFinished = true;
    clearTimeout(bodyTimer);
    finish(end);
  }

  function end(bodyEnd: BodyEnd): void {
    if (received === null) return;
    const body = Buffer.concat(chunks).subarray(0, maxBytes);
    finishOnce({ kind: 'answered', ...received, body, bodyEnd });
  }

  function fail(error: unknown): void {
    if (received === null) finishOnce({ kind: 'unanswered', error, isStarted });
    else end('broken');
  }

  return {
    end,
    fail,
    start: () => {
      isStarted = true;
    },
    head: (status: number, headers: IncomingHttpHeaders) => {
      if (status < 200) return;
      received = { status, headers };
      if (maxMs !== null) bodyTimer = setTimeout(end, maxMs, 'time');
    },
    add: (chunk: Buffer) => {
      if (isFinished) return;
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) end('limit');
    },
    expire: () => {
      if (received === null) fail(new TransportError('timed_out', 'There was no answer in time.'));
      else end('time');
    },
  };
}
