import { toStorableText } from './text.js';
import { parseUrl } from './web-link.js';

/**
 * The maximum length of a client address. Proxies forward arbitrary text, and some database indexes limit the
 * length of a value.
 */
const MAX_LENGTH = 64;
/** A /64, the smallest network that a customer gets. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;
const V6_CHARACTERS = /^[\da-f:.]+$/i;
const FOR_IPV4 = /^(?:::ffff:|64:ff9b:)/;

/** An address with the port that a proxy added. Its form tells which part is the port. */
const WITH_PORT =
  /^\s*(?:\[(?<bracketed>[\da-f]*:[\da-f:.]*)(?:%[^\]]*)?\]|(?<plain>(?:[\da-f:]*:)?(?:\d{1,3}\.){3}\d{1,3}|(?:[\da-f]{1,4}:){7}[\da-f]{1,4}))(?<port>:[\w.-]*)?\s*$/i;

/**
 * Removes the brackets and the port that a proxy adds to a client's address. An IPv6 address without brackets
 * is returned unchanged, because its last group may look like a port.
 */
export function withoutPort(address: string): string {
  const { bracketed, plain } = WITH_PORT.exec(address)?.groups ?? {};
  return bracketed ?? plain ?? address;
}

/**
 * Returns the /64 network of an IPv6 address, because one customer controls the whole network. Returns other
 * addresses unchanged except for a port, and cuts and cleans other text, so that a database can store it.
 */
export function clientNetwork(forwarded: string): string {
  const address = withoutPort(forwarded);
  const v6 = address.length <= MAX_LENGTH ? canonicalV6(address) : null;
  if (v6 === null) return toStorableText(address.slice(0, MAX_LENGTH));
  return FOR_IPV4.test(v6) ? v6 : `${groupsOf(v6).slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

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
