import { parseUrl } from './parse-url.js';

/** No address is longer; what is, a proxy has passed on from a stranger, and not every index takes it. */
const MAX_LENGTH = 64;
/** What one customer is given of IPv6 at the least: 64 bits in groups of 16. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;
const V6_CHARACTERS = /^[\da-f:.]+$/i;
/** IPv6 that stands for one IPv4 address: mapped, translated, NAT64. */
const FOR_IPV4 = /^(?:::ffff:|64:ff9b:)/;

/**
 * What a client's address is counted under: of IPv6 the network, for whoever has one address there has them all; else
 * the address, or whatever the host gives in its place.
 */
export function clientNetwork(address: string): string {
  const v6 = address.length <= MAX_LENGTH ? canonicalV6(address) : null;
  if (v6 === null) return address.slice(0, MAX_LENGTH);
  return FOR_IPV4.test(v6) ? v6 : `${groupsOf(v6).slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** In its one spelling (RFC 5952), without a zone; null for what is no IPv6 address. */
function canonicalV6(address: string): string | null {
  const text = address.replace(/%.*$/, '');
  if (!V6_CHARACTERS.test(text)) return null;
  const host = parseUrl(`http://[${text}]/`)?.hostname;
  return host === undefined ? null : host.slice(1, -1);
}

function groupsOf(v6: string): readonly string[] {
  const [front = [], back = []] = v6
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const left = GROUPS - front.length - back.length;
  return [...front, ...Array.from({ length: left }, () => '0'), ...back];
}
