import { NetworkUnavailable } from '../../errors.js';
import type { OptionNames } from '../option-checks.js';
import { checkSwitches } from '../option-checks.js';
import { createUrlCheck, type TargetPolicy } from './check-url.js';
import { createConnectionPool } from './connection-pool.js';
import type { ExchangeEnd, ExchangeRequest } from './exchange.js';
import { createExchangeOnce } from './exchange.js';
import {
  createCheckedLookup,
  createNameServerResolve,
  createPinnedConnect,
  type Resolve,
  systemResolve,
} from './pinned-connect.js';
import { describeFailure, type FailedExchange, findLack } from './transport-error.js';

/** What requests to addresses that strangers chose are made with. */
export interface SafeHttpOptions extends Partial<TargetPolicy> {
  /**
   * Finds the addresses of a name. By default the machine's name servers are asked, and nothing else; where private
   * networks are allowed, the operating system, with its hosts file.
   */
  readonly resolve?: Resolve;
  /** Certificate authorities (PEM) to trust instead of the machine's. */
  readonly ca?: string;
}

/** The options of what makes such requests. */
export const SAFE_HTTP_OPTIONS: OptionNames<SafeHttpOptions> = {
  allowPrivateNetworks: true,
  allowPlainHttp: true,
  resolve: true,
  ca: true,
};

/** A request to a URL that a stranger chose. */
interface SafeRequest extends Omit<ExchangeRequest, 'origin' | 'path'> {
  readonly url: string;
  /** Covers the name, the connection, TLS, the request, the status, and the body as far as it is read. */
  readonly timeoutMs: number;
}

/** How it ended. */
export type SafeEnd = Extract<ExchangeEnd, { kind: 'answered' }> | FailedExchange;

/** Requests that cannot be turned against the network they are made from. */
export interface SafeHttp {
  /**
   * Makes one request. Redirects are answers like any other. Rejects with `NetworkUnavailable` where this machine lacks
   * what it takes to send anything.
   */
  send(request: SafeRequest): Promise<SafeEnd>;
  /** Closes idle connections; requests under way end first, or reject as soon as the signal aborts. */
  close(giveUp?: AbortSignal): Promise<void>;
}

/**
 * Puts the checks, the pinned connections and the deadline together.
 *
 * @throws OperatorError `MISCONFIGURED` for a switch that is neither true nor false.
 */
export function createSafeHttp(options: SafeHttpOptions = {}): SafeHttp {
  const { allowPrivateNetworks = false, allowPlainHttp = false, ca } = options;
  checkSwitches('A transport or résumé source', { allowPrivateNetworks, allowPlainHttp });
  const checkUrl = createUrlCheck({ allowPrivateNetworks, allowPlainHttp });
  const lookup = createCheckedLookup(
    options.resolve ?? ownResolve(allowPrivateNetworks),
    allowPrivateNetworks,
  );
  const pool = createConnectionPool(createPinnedConnect({ lookup, ca }));
  let underWay = 0;
  let isGivenUp = false;
  const exchangeOnce = createExchangeOnce(pool, () => !isGivenUp);
  let closing: Promise<void> | null = null;
  /** Called when nothing is under way any more. */
  let onIdle = () => {};

  function send(request: SafeRequest): Promise<SafeEnd> {
    if (closing !== null) return Promise.reject(isClosed());
    const decision = checkUrl(request.url);
    if (decision.kind === 'refused') return Promise.resolve({ ...decision, kind: 'failed' });
    const { origin, path } = decision.target;
    const { method, headers, body, answer, timeoutMs } = request;
    underWay += 1;
    return new Promise((resolve, reject) => {
      exchangeOnce({ method, origin, path, headers, body, answer }, timeoutMs, (end) => {
        if (isGivenUp) reject(isClosed());
        else if (end.kind === 'answered') resolve(end);
        else settleFailure(end.error, resolve, reject);
        underWay -= 1;
        if (underWay === 0) onIdle();
      });
    });
  }

  async function closeOnce(): Promise<void> {
    pool.close();
    if (underWay > 0) await new Promise<void>((resolve) => (onIdle = resolve));
  }

  function abort(): void {
    isGivenUp = true;
    pool.destroy();
  }

  return {
    send,
    close: (giveUp) => {
      closing ??= closeOnce();
      if (giveUp?.aborted === true) abort();
      else giveUp?.addEventListener('abort', abort, { once: true });
      return closing;
    },
  };
}

function isClosed(): NetworkUnavailable {
  return new NetworkUnavailable('The transport is closed.');
}

function settleFailure(
  error: unknown,
  resolve: (end: SafeEnd) => void,
  reject: (lack: NetworkUnavailable) => void,
): void {
  const lack = findLack(error);
  if (lack === null) resolve(describeFailure(error));
  else reject(lack);
}

/** Who chose a name must not be able to hold up other look-ups; names of a private network, only the system knows. */
function ownResolve(allowPrivateNetworks: boolean): Resolve {
  return allowPrivateNetworks ? systemResolve : createNameServerResolve();
}
