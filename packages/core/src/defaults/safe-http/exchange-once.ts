import type { Connection } from './connection.js';
import type { ConnectionPool } from './connection-pool.js';
import { type Deadline, type ExchangeEnd, type ExchangeRequest, exchange, type OnEnd } from './exchange.js';
import { TransportError } from './transport-error.js';

/** Runs one exchange over a connection of a pool, within so many milliseconds, and tells how it ended. */
export type ExchangeOnce = (request: ExchangeRequest, timeoutMs: number, onEnd: OnEnd) => void;

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
