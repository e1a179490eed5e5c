import type { Optional } from '../../domain/optional.js';
import { NetworkUnavailable } from '../../errors.js';
import { checkSwitches, type OptionNames } from '../option-checks.js';
import { createUrlCheck, type HostTest, type TargetPolicy } from './check-url.js';
import { createConnectionPool } from './connection-pool.js';
import { createExchangeOnce, type ExchangeEnd, type ExchangeRequest } from './exchange.js';
import { createNat64 } from './nat64.js';
import {
  createCheckedLookup,
  createNameServerResolve,
  createPinnedConnect,
  type Resolve,
  systemResolve,
} from './pinned-connect.js';
import { isLocalName, type ProxyOptions, readProxy } from './proxy.js';
import { describeFailure, type FailedExchange, findLack } from './transport-error.js';
import { createTunnelConnect } from './tunnel-connect.js';
import { isUndiciLoaded, loadUndici } from './undici.js';

/** How requests go out: to which addresses, and through which proxy. */
export interface SafeHttpOptions extends Optional<TargetPolicy> {
  /**
   * Looks up names; by default, it queries name servers, or asks the operating system if `allowPrivateNetworks` is on.
   */
  readonly resolve?: Resolve | undefined;
  /**
   * The prefixes of your network's NAT64, besides `64:ff9b::/96`; default: none. A resolved address under a prefix
   * counts as the IPv4 address inside.
   */
  readonly nat64Prefixes?: readonly string[] | undefined;
  /** An HTTP proxy for networks without another way out. */
  readonly proxy?: ProxyOptions | undefined;
  /** Certificate authorities in PEM; default: those of the system. */
  readonly ca?: string | undefined;
}

export const SAFE_HTTP_OPTIONS: OptionNames<SafeHttpOptions> = {
  allowPrivateNetworks: true,
  allowPlainHttp: true,
  resolve: true,
  nat64Prefixes: true,
  proxy: true,
  ca: true,
};

interface SafeRequest extends Omit<ExchangeRequest, 'origin' | 'path'> {
  readonly url: string;
  /** The time for the whole request in milliseconds, from the DNS lookup to the last byte of the body. */
  readonly timeoutMs: number;
}

export type SafeEnd = Extract<ExchangeEnd, { kind: 'answered' }> | FailedExchange;

export interface SafeHttp {
  /** Rejects with `NetworkUnavailable` if this machine cannot connect. */
  send(request: SafeRequest): Promise<SafeEnd>;
  /** Waits until running requests end. When `giveUp` aborts, rejects the requests that still run. */
  close(giveUp?: AbortSignal): Promise<void>;
}

export function createSafeHttp(options: SafeHttpOptions = {}): SafeHttp {
  const { allowPrivateNetworks = false, allowPlainHttp = false, ca } = options;
  checkSwitches('A transport or résumé source', { allowPrivateNetworks, allowPlainHttp });
  const nat64 = createNat64(options.nat64Prefixes);
  const proxy = readProxy(options.proxy);
  const isPrivate: HostTest = (host) =>
    nat64.covers(host) || (proxy?.resolvesNames === true && isLocalName(host));
  const checkUrl = createUrlCheck({ allowPrivateNetworks, allowPlainHttp }, isPrivate);
  const lookup = createCheckedLookup(
    options.resolve ?? (allowPrivateNetworks ? systemResolve : createNameServerResolve()),
    allowPrivateNetworks ? () => true : nat64.isPublicAnswer,
  );
  const connect =
    proxy === null ? createPinnedConnect({ lookup, ca }) : createTunnelConnect({ proxy, lookup, ca });
  const pool = createConnectionPool(connect);
  let underWay = 0;
  let isGivenUp = false;
  const exchangeOnce = createExchangeOnce(pool, () => !isGivenUp);
  let closing: Promise<void> | null = null;
  let onIdle = () => {};

  function send(request: SafeRequest): Promise<SafeEnd> {
    if (!isUndiciLoaded()) return loadUndici().then(() => send(request));
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
