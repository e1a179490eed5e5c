import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { NetworkUnavailable } from '../../errors.js';
import { createPinnedConnect, MAX_HEADER_BYTES, type PinnedConnect, startTls } from './pinned-connect.js';
import type { HttpProxy } from './proxy.js';
import { codeOf, TransportError, withCode } from './transport-error.js';
import { loadedUndici } from './undici.js';

interface TunnelOptions {
  readonly proxy: HttpProxy;
  /** Checks the addresses of a name. */
  readonly lookup: LookupFunction;
  readonly ca: string | undefined;
}

/** A name may have any number of addresses, and each costs the proxy a connection. */
const MOST_ADDRESSES = 4;

/** The connections that an attempt has opened so far. */
interface Opening {
  isGivenUp: boolean;
  close(): void;
}

/**
 * Connects through an HTTP proxy. undici's `ProxyAgent` does not fit: it always sends the name to the proxy, which could
 * then resolve it to an address that was not checked.
 */
export function createTunnelConnect({ proxy, lookup, ca }: TunnelOptions): PinnedConnect {
  const connectToProxy = createPinnedConnect({ lookup: systemLookup, ca });

  async function hostsOf(hostname: string): Promise<readonly string[]> {
    if (isIP(hostname) !== 0 || proxy.resolvesNames) return [hostname];
    return (await lookUp(lookup, hostname)).slice(0, MOST_ADDRESSES);
  }

  async function open(target: buildConnector.Options, opening: Opening): Promise<Socket> {
    const hosts = await hostsOf(target.hostname);
    const port = target.port === '' ? (target.protocol === 'https:' ? 443 : 80) : target.port;
    let status = 0;
    for (const host of hosts) {
      if (opening.isGivenUp) break;
      const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
      const answer = await requestTunnel(authority, opening);
      status = answer.status;
      if (status >= 200 && status < 300) return answer.socket;
      answer.socket.on('error', () => {}).destroy();
      // If the proxy cannot reach this address, it may still reach another one.
      if (status < 500) break;
    }
    throw refusedWith(status);
  }

  async function requestTunnel(authority: string, opening: Opening) {
    let socket: { destroy(): void } | null = null;
    let unreachable: NetworkUnavailable | null = null;
    const { Client } = loadedUndici();
    const client = new Client(proxy.origin, {
      connect: (options, callback) => {
        socket = connectToProxy(options, (error, connected) => {
          if (error === null) return callback(null, connected);
          unreachable = proxyUnreachable(error);
          return callback(unreachable, null);
        });
      },
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    opening.close = () => {
      socket?.destroy();
      client.destroy(null, () => {});
    };
    const { authorization } = proxy;
    const headers: Record<string, string> = { host: authority };
    if (authorization !== null) headers['proxy-authorization'] = authorization;
    try {
      const answer = await client.connect({ path: authority, headers });
      return { status: answer.statusCode, socket: answer.socket as Socket };
    } catch (error) {
      opening.close();
      throw unreachable ?? withoutAnswer(error);
    }
  }

  return (target, callback) => {
    const opening: Opening = { isGivenUp: false, close: () => {} };
    open(target, opening).then(
      (tunnel) => {
        if (opening.isGivenUp) return void tunnel.destroy();
        if (target.protocol !== 'https:') return callback(null, tunnel);
        const secure = startTls(tunnel, target.hostname, ca, callback);
        opening.close = () => {
          secure.destroy();
          tunnel.destroy();
        };
      },
      (error) => callback(error, null),
    );
    return {
      destroy: () => {
        opening.isGivenUp = true;
        opening.close();
      },
    };
  };
}

function lookUp(lookup: LookupFunction, hostname: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, found) => {
      if (error !== null) reject(error);
      else resolve([found].flat().map((one) => (typeof one === 'string' ? one : one.address)));
    });
  });
}

const NEEDS_CREDENTIALS = 407;

function refusedWith(status: number): TransportError {
  const fix =
    status === NEEDS_CREDENTIALS ? ' Put a user name and a password that it accepts into `proxy.url`.' : '';
  return new TransportError('proxy_refused', `The proxy refused the connection with status ${status}.${fix}`);
}

/** Leaves out the cause: undici keeps the proxy's reply in it, and a proxy may send the password back. */
function withoutAnswer(error: unknown): TransportError {
  return new TransportError('proxy_refused', withCode('The proxy sent no valid answer to CONNECT', error));
}

/** No partner can cause this, so the attempt does not count. */
function proxyUnreachable(error: unknown): NetworkUnavailable {
  const cause = error instanceof TransportError ? error.cause : error;
  const code = codeOf(cause);
  const reason = code === null ? '' : ` (${code})`;
  return new NetworkUnavailable(`The proxy cannot be reached${reason}. Check \`proxy.url\` and the proxy.`, {
    cause: error,
  });
}
