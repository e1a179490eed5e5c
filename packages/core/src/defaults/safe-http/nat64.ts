import ipaddr from 'ipaddr.js';
import { misconfiguration, type OperatorError } from '../../errors.js';
import { isPublicAddress } from './check-url.js';

/** The addresses of a network behind NAT64, which reaches IPv4 servers through IPv6 addresses. */
export interface Nat64 {
  /** Returns whether an address lies in a prefix of NAT64. */
  covers(ip: string): boolean;
  /** Judges an address that a name resolves to. Under a prefix of NAT64, judges the IPv4 address inside. */
  isPublicAnswer(ip: string): boolean;
}

type Cidr = readonly [ipaddr.IPv6, number];

/** RFC 6052, section 2.1. */
const WELL_KNOWN = '64:ff9b::/96';

/** The bytes of the IPv4 address, by the length of the prefix. RFC 6052, section 2.2. */
const POSITIONS: ReadonlyMap<number, readonly number[]> = new Map([
  [32, [4, 5, 6, 7]],
  [40, [5, 6, 7, 9]],
  [48, [6, 7, 9, 10]],
  [56, [7, 9, 10, 11]],
  [64, [9, 10, 11, 12]],
  [96, [12, 13, 14, 15]],
]);

/** This byte must be zero, so that the IPv4 address does not overlap it. RFC 6052, section 2.2. */
const RESERVED_BYTE = 8;

/**
 * Knows the well-known prefix and a network's own ones.
 * @throws OperatorError `MISCONFIGURED` if a prefix is invalid.
 */
export function createNat64(ownPrefixes: readonly string[] = []): Nat64 {
  const prefixes = [WELL_KNOWN, ...checkList(ownPrefixes)].map(readPrefix);

  function prefixesOf(ip: string): readonly Cidr[] {
    if (!ip.includes(':') || ip.includes('%') || !ipaddr.IPv6.isValid(ip)) return [];
    const address = ipaddr.IPv6.parse(ip);
    return prefixes.filter(([network, length]) => address.match(network, length));
  }

  return {
    covers: (ip) => prefixesOf(ip).length > 0,
    isPublicAnswer: (ip) => {
      const covering = prefixesOf(ip);
      if (covering.length === 0) return isPublicAddress(ip);
      const bytes = ipaddr.IPv6.parse(ip).toByteArray();
      return covering.every(([, length]) => isPublicAddress(embeddedAddress(bytes, length)));
    },
  };
}

/** Returns an empty string if the address does not have the form of RFC 6052. */
function embeddedAddress(bytes: readonly number[], length: number): string {
  if (length <= 64 && bytes[RESERVED_BYTE] !== 0) return '';
  return (POSITIONS.get(length) ?? []).map((at) => bytes[at]).join('.');
}

function checkList(prefixes: unknown): readonly unknown[] {
  if (Array.isArray(prefixes)) return prefixes;
  throw misconfigured('must be a list of prefixes');
}

function readPrefix(text: unknown): Cidr {
  if (typeof text !== 'string' || !ipaddr.IPv6.isValidCIDR(text) || text.includes('%')) {
    throw misconfigured(`contains ${JSON.stringify(text)}, which is not an IPv6 prefix`);
  }
  const [network, length] = ipaddr.IPv6.parseCIDR(text);
  if (!POSITIONS.has(length)) {
    throw misconfigured(
      `contains ${JSON.stringify(text)}, but a prefix must have a length of ${[...POSITIONS.keys()].join(', ')}`,
    );
  }
  if (network.toString() !== ipaddr.IPv6.networkAddressFromCIDR(text).toString()) {
    throw misconfigured(`contains ${JSON.stringify(text)}, which has bits behind the prefix`);
  }
  return [network, length];
}

function misconfigured(problem: string): OperatorError {
  return misconfiguration(
    `\`nat64Prefixes\` ${problem}. Pass the prefixes of your network's NAT64, for example \`['2001:db8:64::/96']\`.`,
  );
}
