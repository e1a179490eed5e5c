import type { LookupAddress } from 'node:dns';
import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { buildConnector } from 'undici';
import { onTimeout, stopTimeout } from '../../real-timers.js';
import { TransportError, tlsError, withCode } from './transport-error.js';

/** Connects to an origin. `destroy` gives up and closes what was opened. */
export type PinnedConnect = (
  options: buildConnector.Options,
  callback: buildConnector.Callback,
) => { destroy(): void };

/** The most bytes of a response's header. */
export const MAX_HEADER_BYTES = 16 * 1024;

interface ConnectOptions {
  readonly lookup: LookupFunction;
  readonly ca: string | undefined;
}

/** The wait before the next address is tried beside those that have not answered. RFC 8305, section 5. */
const NEXT_ADDRESS_AFTER_MS = 250;

/** Connects only to checked addresses. Verifies TLS despite `NODE_TLS_REJECT_UNAUTHORIZED`. */
export function createPinnedConnect({ lookup, ca }: ConnectOptions): PinnedConnect {
  return ({ hostname, protocol, port }, callback) => {
    const isSecure = protocol === 'https:';
    const race = createRace(port === '' ? (isSecure ? 443 : 80) : Number(port), (error, socket) => {
      if (socket === null) return callback(asConnectError(error), null);
      if (isSecure) race.secure(startTls(socket, hostname, ca, callback));
      else callback(null, socket);
    });
    const host = hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0) race.start([withFamily(host)]);
    else
      lookup(host, { all: true }, (error, found) => {
        if (error === null) race.start(Array.isArray(found) ? found : []);
        else race.fail(error);
      });
    return race;
  };
}

/** Connects to the first address, and to each further one beside it if none has answered in time. The first one wins. */
function createRace(port: number, onEnd: (...end: [Error, null] | [null, Socket]) => void) {
  const sockets = new Set<Socket>();
  let addresses: readonly LookupAddress[] = [];
  let tried = 0;
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;

  function end(error: Error | null, winner: Socket | null): void {
    if (isEnded) return;
    isEnded = true;
    stopTimeout(timer);
    for (const socket of sockets) if (socket !== winner) socket.destroy();
    if (winner !== null) onEnd(null, winner);
    else if (error !== null) onEnd(error, null);
  }

  function tryNext(): void {
    const { address: host, family } = addresses[tried] ?? {};
    if (isEnded || host === undefined) return;
    tried += 1;
    const socket = netConnect({ host, family, port, noDelay: true });
    sockets.add(socket);
    socket.once('connect', () => end(null, socket));
    socket.on('error', (error) => {
      sockets.delete(socket);
      if (tried < addresses.length) tryNext();
      else if (sockets.size === 0) end(error, null);
    });
    stopTimeout(timer);
    if (tried < addresses.length) timer = onTimeout(tryNext, NEXT_ADDRESS_AFTER_MS);
  }

  return {
    start(found: readonly LookupAddress[]) {
      addresses = found;
      tryNext();
    },
    fail: (error: Error) => end(error, null),
    secure: (socket: Socket) => void sockets.add(socket),
    destroy() {
      isEnded = true;
      stopTimeout(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Starts TLS on a connected socket. Verifies that the certificate is for this host. */
export function startTls(
  socket: Socket,
  hostname: string,
  ca: string | undefined,
  callback: buildConnector.Callback,
): Socket {
  let isAnnounced = false;
  const announceOnce: buildConnector.Callback = (...outcome) => {
    if (isAnnounced) return;
    isAnnounced = true;
    callback(...outcome);
  };
  const secure = tlsConnect({
    socket,
    servername: isIP(hostname) === 0 ? hostname.replace(/\.$/, '') : '',
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
    ca,
  });
  secure.once('secureConnect', () => announceOnce(null, secure));
  secure.on('error', (error) => announceOnce(tlsError(error), null));
  return secure;
}

function asConnectError(error: Error): TransportError {
  if (error instanceof TransportError) return error;
  return new TransportError('connection_failed', withCode('The connection failed', error), { cause: error });
}

/** Returns the addresses of a host name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export const systemResolve: Resolve = async (hostname) => {
  const found = await systemLookup(hostname, { all: true });
  return found.map(({ address }) => address);
};

/**
 * Returns a lookup that checks each address of a name. Connections use the checked address, so a later change
 * of DNS has no effect. If one address is not public, the lookup rejects the name.
 */
export function createCheckedLookup(
  resolve: Resolve,
  isPublic: (address: string) => boolean,
): LookupFunction {
  return (hostname, options, callback) => {
    resolveChecked(resolve, hostname, isPublic).then(
      ([first, ...others]) => {
        if (options.all === true) callback(null, [first, ...others]);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ''),
    );
  };
}

async function resolveChecked(
  resolve: Resolve,
  hostname: string,
  isPublic: (address: string) => boolean,
): Promise<[LookupAddress, ...LookupAddress[]]> {
  const [first, ...others] = await resolveName(resolve, hostname);
  if (first === undefined) throw new TransportError('name_not_resolved', 'The name has no address.');
  if (![first, ...others].every(isPublic)) {
    throw new TransportError(
      'address_refused',
      'The name resolves to an address that is not public, and `allowPrivateNetworks` is off.',
    );
  }
  return [withFamily(first), ...others.map(withFamily)];
}

async function resolveName(resolve: Resolve, hostname: string): Promise<readonly string[]> {
  try {
    return await resolve(hostname);
  } catch (cause) {
    throw new TransportError('name_not_resolved', withCode('The name was not resolved', cause), { cause });
  }
}

function withFamily(address: string): LookupAddress {
  return { address, family: isIP(address) === 6 ? 6 : 4 };
}

/**
 * The timeout of the first query to a name server. It doubles with each retry. All timeouts together take
 * half of an attempt's deadline.
 */
const FIRST_WAIT_MS = 2_000;
const TRIES = 3;

/**
 * How long the lookup waits for IPv6 addresses once it has IPv4 addresses. Some name servers drop queries for
 * IPv6. RFC 8305, section 3.
 */
const V6_WITHIN_MS = 50;
/**
 * How long the lookup waits for IPv4 addresses once it has IPv6 addresses. The time includes one retry, because many
 * machines reach only IPv4.
 */
const V4_WITHIN_MS = 2_500;

/**
 * Queries name servers directly. The system's lookup occupies one of Node's few threads, so silent name
 * servers could block all lookups. Addresses that arrive too late are not returned, and so never used.
 */
export function createNameServerResolve(servers?: readonly string[]): Resolve {
  return async (hostname) => {
    // A resolver avoids name servers that did not answer. With a resolver per lookup, a name that gets no
    // answer does not affect other names.
    const resolver = new Resolver({ timeout: FIRST_WAIT_MS, tries: TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const lookups = [resolver.resolve4(hostname), resolver.resolve6(hostname)] as const;
    const [v4, v6] = await Promise.allSettled([
      unlessLate(lookups[0], lookups[1], V4_WITHIN_MS),
      unlessLate(lookups[1], lookups[0], V6_WITHIN_MS),
    ]);
    resolver.cancel();
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    return [v4, v6].flatMap((found) => (found.status === 'fulfilled' ? found.value : []));
  };
}

/** Resolves without addresses if the lookup is still running this long after the other one has succeeded. */
function unlessLate(
  lookup: Promise<readonly string[]>,
  other: Promise<readonly string[]>,
  withinMs: number,
): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    lookup.then(resolve, reject);
    other.then(
      () => onTimeout(resolve, withinMs, []).unref(),
      () => {},
    );
  });
}
