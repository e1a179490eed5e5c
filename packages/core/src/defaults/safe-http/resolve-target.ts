import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '../public-address.js';
import { TransportError, withCode } from './transport-error.js';

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
