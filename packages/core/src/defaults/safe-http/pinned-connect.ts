import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { buildConnector } from 'undici';
import { isPublicAddress } from './check-url.js';
import { TransportError, withCode } from './transport-error.js';

/** Opens a socket for a client; answers it at once, so that it can be given up before it is open. */
export type PinnedConnect = (options: buildConnector.Options, callback: buildConnector.Callback) => Socket;

/** What all connections share. */
interface ConnectOptions {
  /** Gives nothing but addresses that were checked. */
  readonly lookup: LookupFunction;
  /** Certificate authorities instead of the machine's; undefined for those. */
  readonly ca: string | undefined;
}

/**
 * How long one address of several may take before the next is tried. Node's own 250 ms gives up on servers on
 * the other side of the world.
 */
const NEXT_ADDRESS_AFTER_MS = 2_500;

/**
 * Connects to what the look-up checked, and to nothing else. TLS is always verified, whatever the environment
 * says (`NODE_TLS_REJECT_UNAUTHORIZED`). Errors say which step failed.
 */
export function createPinnedConnect({ lookup, ca }: ConnectOptions): PinnedConnect {
  return ({ hostname, protocol, port }, callback) => {
    const isSecure = protocol === 'https:';
    const target = {
      host: hostname,
      port: port === '' ? (isSecure ? 443 : 80) : Number(port),
      lookup,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
      noDelay: true,
    };
    const socket = isSecure ? tlsConnect({ ...target, ...tlsOptions(hostname, ca) }) : netConnect(target);
    return announce(socket, isSecure, callback);
  };
}

function tlsOptions(hostname: string, ca: string | undefined) {
  return {
    servername: isIP(hostname) === 0 ? hostname.replace(/\.$/, '') : '',
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  };
}

function announce(socket: Socket, isSecure: boolean, callback: buildConnector.Callback): Socket {
  let isConnected = false;
  let isAnnounced = false;
  const announceOnce: buildConnector.Callback = (...outcome) => {
    if (isAnnounced) return;
    isAnnounced = true;
    callback(...outcome);
  };
  socket.once('connect', () => {
    isConnected = true;
  });
  socket.once(isSecure ? 'secureConnect' : 'connect', () => announceOnce(null, socket));
  socket.on('error', (error) => announceOnce(asConnectError(error, isConnected), null));
  return socket;
}

function asConnectError(error: Error, isConnected: boolean): TransportError {
  if (error instanceof TransportError) return error;
  return isConnected
    ? new TransportError('tls_failed', withCode('TLS failed', error), { cause: error })
    : new TransportError('connection_failed', withCode('The connection failed', error), { cause: error });
}

/** Finds all addresses of a name; rejects if there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** As the operating system resolves names: those of this machine and of its network too. */
export const systemResolve: Resolve = async (hostname) => {
  const found = await systemLookup(hostname, { all: true });
  return found.map(({ address }) => address);
};

/**
 * The look-up that a connection makes for itself. It resolves once and answers only what it has checked, so
 * there is no moment between check and connection in which a resolver could change its mind. One address that
 * is not public refuses them all: a partner's server has no reason to give one.
 */
export function createCheckedLookup(resolve: Resolve, allowPrivateNetworks: boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolveChecked(resolve, hostname, allowPrivateNetworks).then(
      ([first, ...others]) => {
        if (options.all === true) callback(null, [first, ...others]);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ''),
    );
  };
}

interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

async function resolveChecked(
  resolve: Resolve,
  hostname: string,
  allowPrivateNetworks: boolean,
): Promise<[Address, ...Address[]]> {
  const [first, ...others] = await resolveName(resolve, hostname);
  if (first === undefined) throw new TransportError('name_not_resolved', 'The name has no address.');
  if (!allowPrivateNetworks && ![first, ...others].every(isPublicAddress)) {
    throw new TransportError(
      'address_refused',
      'The name leads to an address that is not public, and `allowPrivateNetworks` is off.',
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

function withFamily(address: string): Address {
  return { address, family: isIP(address) === 6 ? 6 : 4 };
}

/** For each server and question; each further try waits twice as long. Together about half of an attempt's time. */
const FIRST_WAIT_MS = 2_000;
const TRIES = 3;

/**
 * Asks the machine's name servers itself. The operating system's look-up takes one of Node's few threads for as long
 * as it lasts, and cannot be given up: two names whose servers keep silent would hold up every other look-up of the
 * process. Names that are in no name server, such as those of a hosts file, are not found.
 *
 * @param servers - instead of the machine's, for tests: addresses with ports.
 */
export function createNameServerResolve(servers?: readonly string[]): Resolve {
  return async (hostname) => {
    // One for each name: a server that kept silent about one is asked for the next as any other. It reads the
    // machine's settings as they are now.
    const resolver = new Resolver({ timeout: FIRST_WAIT_MS, tries: TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    return [v4, v6].flatMap((found) => (found.status === 'fulfilled' ? found.value : []));
  };
}
