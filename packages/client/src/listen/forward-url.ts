import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { ListenError } from './listen-error.js';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** RFC 6761, section 6.3. */
const LOCAL_NAME = /^(?:[^.]+\.)*localhost\.?$/;

const REMOTE =
  'The URL is not on this machine. Forward to http://localhost:<port>/..., or add --allow-remote if the URL is yours.';

/**
 * Parses the URL of the receiver. Without `allowRemote`, its host must be `localhost`, a name below it, or a loopback
 * address.
 * @throws ListenError
 */
export function readForwardUrl(text: string, allowRemote: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new ListenError('--forward must be an http or https URL, such as http://localhost:3000/webhooks.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new ListenError('The URL must not have a user or password, because the service rejects such URLs.');
  }
  if (!allowRemote && !isLocalHost(url.hostname)) throw new ListenError(REMOTE);
  return url;
}

/** Returns the URL without its query, which may contain a token. */
export function shownUrl(url: URL): string {
  return `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`;
}

/** @param hostname - of a parsed URL, which writes each address in one way. */
function isLocalHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? LOCAL_NAME.test(host) : isLoopback(host);
}

function isLoopback(address: string): boolean {
  return LOOPBACK.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Returns a lookup that fails if a name has an address that is not loopback. A connection uses the addresses that it
 * checked, so a name cannot change between the check and the connection.
 */
export function createLoopbackLookup(lookup: typeof systemLookup = systemLookup): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) return callback(error ?? new ListenError(REMOTE), []);
      if (!addresses.every(({ address }) => isLoopback(address))) {
        return callback(new ListenError(`${host} has an address of another machine. ${REMOTE}`), []);
      }
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
