import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { TransportFailure } from '../../domain/delivery.js';

/** Where a caller lets requests go. Both are for tests, examples and closed networks. */
export interface TargetPolicy {
  /** Allow addresses that are not public. */
  readonly allowPrivateNetworks: boolean;
  /** Allow `http` besides `https`. */
  readonly allowPlainHttp: boolean;
}

/** Where a request goes. */
export interface Target {
  readonly origin: string;
  /** With its query. */
  readonly path: string;
}

/** Whether a URL may be called, and as what. */
type UrlDecision =
  | { readonly kind: 'allowed'; readonly target: Target }
  | { readonly kind: 'refused'; readonly failure: TransportFailure; readonly message: string };

/**
 * Judges a URL before any name is looked up: `https`, no credentials, not this machine by name, no private address
 * as a literal, in whatever disguise. A resolver's hook never sees literals, so they are decided here.
 */
function checkUrl(text: string, policy: TargetPolicy): UrlDecision {
  if (!URL.canParse(text)) return refuse('url_refused', 'The URL cannot be parsed.');
  const url = new URL(text);
  if (!isSchemeAllowed(url.protocol, policy)) return refuse('url_refused', schemeMessage(policy));
  if (url.username !== '' || url.password !== '') {
    return refuse('url_refused', 'The URL must not carry credentials.');
  }
  const host = bareHost(url);
  if (!policy.allowPrivateNetworks && isLocal(host)) {
    return refuse(
      'address_refused',
      'The address in the URL is not public, and `allowPrivateNetworks` is off.',
    );
  }
  return { kind: 'allowed', target: { origin: url.origin, path: `${url.pathname}${url.search}` } };
}

/** Some megabytes at most. */
const MAX_REMEMBERED = 1_000;
/** As long as an endpoint's may be. A résumé's may be as long as the body it came in. */
const MAX_REMEMBERED_LENGTH = 2_048;

/**
 * The same judgement, which depends on nothing but the text, remembered for those judged last: parsing a URL
 * costs as much as signing. What a name leads to is looked up and checked anew for each connection.
 */
export function createUrlCheck(policy: TargetPolicy): (text: string) => UrlDecision {
  const remembered = new Map<string, UrlDecision>();
  return (text) => {
    if (text.length > MAX_REMEMBERED_LENGTH) return checkUrl(text, policy);
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const decision = checkUrl(text, policy);
    const [oldest] = remembered.keys();
    if (remembered.size >= MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    remembered.set(text, decision);
    return decision;
  };
}

/** Names of this machine (RFC 6761, section 6.3), which need no look-up. */
const LOCALHOST = /(?:^|\.)localhost\.?$/;

function isLocal(host: string): boolean {
  return isIP(host) === 0 ? LOCALHOST.test(host) : !isPublicAddress(host);
}

/** The host as a connection takes it: an IPv6 address without its brackets. */
function bareHost(url: Pick<URL, 'hostname'>): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}

function isSchemeAllowed(protocol: string, policy: TargetPolicy): boolean {
  return protocol === 'https:' || (protocol === 'http:' && policy.allowPlainHttp);
}

function schemeMessage(policy: TargetPolicy): string {
  return policy.allowPlainHttp ? 'The URL must be http or https.' : 'The URL must be https.';
}

function refuse(failure: TransportFailure, message: string): UrlDecision {
  return { kind: 'refused', failure, message };
}

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
