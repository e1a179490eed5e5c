import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { TransportFailure } from '../../domain/delivery.js';

/** Relaxes the checks of a URL, for tests and closed networks. */
export interface TargetPolicy {
  /** Whether addresses may be in private networks; default: false. */
  readonly allowPrivateNetworks: boolean;
  /** Whether URLs may have plain http; default: false. */
  readonly allowPlainHttp: boolean;
}

type UrlDecision =
  | { readonly kind: 'allowed'; readonly target: { readonly origin: string; readonly path: string } }
  | { readonly kind: 'refused'; readonly failure: TransportFailure; readonly message: string };

function checkUrl(text: string, policy: TargetPolicy, isPrivate: HostTest): UrlDecision {
  if (!URL.canParse(text)) return refuse('url_refused', 'The URL cannot be parsed.');
  const url = new URL(text);
  if (!isSchemeAllowed(url.protocol, policy)) return refuse('url_refused', schemeMessage(policy));
  if (url.username !== '' || url.password !== '') {
    return refuse('url_refused', 'The URL must not contain credentials.');
  }
  const host = bareHost(url);
  if (!policy.allowPrivateNetworks && (isLocal(host) || isPrivate(host))) {
    return refuse(
      'address_refused',
      'The address in the URL is not public, and `allowPrivateNetworks` is off.',
    );
  }
  return { kind: 'allowed', target: { origin: url.origin, path: `${url.pathname}${url.search}` } };
}

const MAX_CACHED = 1_000;
const MAX_CACHED_LENGTH = 2_048;

/** Judges the host of a URL: a name, or an address without brackets. */
export type HostTest = (host: string) => boolean;

/**
 * Returns a URL check that caches its decisions, because parsing a URL costs as much as signing a request.
 * `isPrivate` can refuse more hosts than those that are always private.
 */
export function createUrlCheck(
  policy: TargetPolicy,
  isPrivate: HostTest = () => false,
): (text: string) => UrlDecision {
  const cache = new Map<string, UrlDecision>();
  return (text) => {
    if (text.length > MAX_CACHED_LENGTH) return checkUrl(text, policy, isPrivate);
    const known = cache.get(text);
    if (known !== undefined) return known;
    const decision = checkUrl(text, policy, isPrivate);
    const [oldest] = cache.keys();
    if (cache.size >= MAX_CACHED && oldest !== undefined) cache.delete(oldest);
    cache.set(text, decision);
    return decision;
  };
}

/** RFC 6761, section 6.3. */
const LOCALHOST = /(?:^|\.)localhost\.?$/;

function isLocal(host: string): boolean {
  return isIP(host) === 0 ? LOCALHOST.test(host) : !isPublicAddress(host);
}

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

/** The only range of public IPv6 addresses (RFC 4291, IANA). */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/** A public address at which Azure serves machine credentials. */
const PLATFORM_ADDRESSES: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * Returns false for private, local, reserved and metadata addresses. Also returns false for IPv6 addresses
 * that embed an IPv4 address, for addresses with a zone, and for shorthand notations.
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

/**
 * Returns whether an IPv6 address is an ISATAP address. ISATAP (RFC 5214) embeds an IPv4 address under any
 * prefix.
 */
function isIsatap(parts: readonly number[]): boolean {
  return ((parts[4] ?? 0) & ~0x0200) === 0 && parts[5] === 0x5efe;
}
