import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { buildConnector } from 'undici';
import { TransportError, withCode } from './transport-error.js';

/** Opens a socket for a client; answers it at once, so that it can be given up before it is open. */
export type PinnedConnect = (options: buildConnector.Options, callback: buildConnector.Callback) => Socket;

/** What all connections share. */
export interface ConnectOptions {
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
