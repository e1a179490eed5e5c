import ipaddr from 'ipaddr.js';

/** IPv6 that is handed out to the public lies in here and nowhere else. RFC 4291, IANA. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/** Lies in a public range, yet a cloud answers there with its machines' credentials (Azure's wire server). */
const PLATFORM_ADDRESSES: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * Whether an address is global unicast: one that a partner's public server can have.
 *
 * False for every private, local, reserved, documentation, multicast and metadata address, for whole
 * families that carry an IPv4 address inside (mapped, compatible, NAT64, 6to4, Teredo), and for any text that
 * is not a plain address: with a zone, in brackets, or in one of the shorthands for IPv4.
 */
export function isPublicAddress(ip: string): boolean {
  if (ip.includes('%')) return false;
  if (ipaddr.IPv4.isValidFourPartDecimal(ip)) return isPublicV4(ip);
  if (ip.includes(':') && ipaddr.IPv6.isValid(ip)) return isPublicV6(ip);
  return false;
}

function isPublicV4(ip: string): boolean {
  const address = ipaddr.IPv4.parse(ip);
  return address.range() === 'unicast' && !PLATFORM_ADDRESSES.has(address.toString());
}

function isPublicV6(ip: string): boolean {
  const address = ipaddr.IPv6.parse(ip);
  return address.match(GLOBAL_UNICAST) && address.range() === 'unicast' && !isIsatap(address.parts);
}

/** ISATAP carries an IPv4 address behind `0:5efe` or `200:5efe`, under any prefix. RFC 5214. */
function isIsatap(parts: readonly number[]): boolean {
  return ((parts[4] ?? 0) & ~0x0200) === 0 && parts[5] === 0x5efe;
}
