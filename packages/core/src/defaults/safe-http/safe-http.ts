import { checkUrl, type TargetPolicy } from './check-url.js';
import type { Connection } from './connection.js';
import { createConnectionPool } from './connection-pool.js';
import { createDeadline, type Deadline } from './deadline.js';
import { type ExchangeEnd, type ExchangeRequest, exchange } from './exchange.js';
import { createPinnedConnect } from './pinned-connect.js';
import { createCheckedLookup, type Resolve, systemResolve } from './resolve-target.js';
import { describeFailure, type FailedExchange, TransportError } from './transport-error.js';

/** What requests to addresses that strangers chose are made with. */
export interface SafeHttpOptions extends Partial<TargetPolicy> {
  /** Finds the addresses of a name; the operating system's resolver by default. */
  readonly resolve?: Resolve;
  /** Certificate authorities (PEM) to trust instead of the machine's. */
  readonly ca?: string;
}

/** A request to a URL that a stranger chose. */
export interface SafeRequest extends Omit<ExchangeRequest, 'url'> {
  readonly url: string;
  /** Covers the name, the connection, TLS, the request, the status, and the body as far as it is read. */
  readonly timeoutMs: number;
}

/** How it ended. */
export type SafeEnd = Extract<ExchangeEnd, { kind: 'answered' }> | FailedExchange;

/** Requests that cannot be turned against the network they are made from. */
export interface SafeHttp {
  /** Makes one request. Never rejects; redirects are answers like any other. */
  send(request: SafeRequest): Promise<SafeEnd>;
  /** Closes idle connections; requests under way end first. */
  close(): Promise<void>;
}

/** Puts the checks, the pinned connections and the deadline together. */
export function createSafeHttp(options: SafeHttpOptions = {}): SafeHttp {
  const { allowPrivateNetworks = false, allowPlainHttp = false, resolve = systemResolve, ca } = options;
  const policy: TargetPolicy = { allowPrivateNetworks, allowPlainHttp };
  const lookup = createCheckedLookup(resolve, allowPrivateNetworks);
  const pool = createConnectionPool(createPinnedConnect({ lookup, ca }));
  const underWay = new Set<Promise<SafeEnd>>();
  let isClosed = false;

  async function send(request: SafeRequest): Promise<SafeEnd> {
    if (isClosed) return describeFailure(new TransportError('connection_failed', 'The transport is closed.'));
    const decision = checkUrl(request.url, policy);
    if (decision.kind === 'refused') return { ...decision, kind: 'failed' };
    const deadline = createDeadline(request.timeoutMs);
    try {
      const end = await exchangeOnce({ ...request, url: decision.url }, deadline);
      return end.kind === 'answered' ? end : describeFailure(end.error);
    } catch (error) {
      return describeFailure(error);
    } finally {
      deadline.clear();
    }
  }

  /** Once as the server sees it: what a closing connection swallowed goes again over a fresh one. */
  async function exchangeOnce(request: ExchangeRequest, deadline: Deadline): Promise<ExchangeEnd> {
    const connection = pool.take(request.url.origin);
    const wasReused = connection.isReused();
    const end = await exchangeOver(connection, request, deadline);
    if (!wasReused || !wasSwallowed(end)) return end;
    return exchangeOver(pool.open(request.url.origin), request, deadline);
  }

  async function exchangeOver(connection: Connection, request: ExchangeRequest, deadline: Deadline) {
    const end = await exchange(connection, request, deadline);
    pool.release(connection);
    return end;
  }

  return {
    send: (request) => {
      const sent = send(request);
      underWay.add(sent);
      void sent.finally(() => underWay.delete(sent));
      return sent;
    },
    close: async () => {
      isClosed = true;
      pool.close();
      await Promise.all(underWay);
    },
  };
}

/** Whether a connection closed before any byte of an answer: its server gave it up as we began to write. */
function wasSwallowed(end: ExchangeEnd): boolean {
  return end.kind === 'unanswered' && !end.isStarted && !(end.error instanceof TransportError);
}
