import { resolveTarget } from '@partner-hiring/core';

/**
 * The scheme and host of an absolute URL. Servers must accept such a URL as a request target (RFC 9112,
 * section 3.2.2).
 */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/\\?#]*/i;

/** The root path, where the handler serves nothing. */
const NOWHERE = '/';

/** Removes scheme and host from a target. */
export function withoutOrigin(target: string): string {
  return target.startsWith('/') ? target : target.replace(ORIGIN, '');
}

/**
 * Returns whether a target is at or below the base path. Like a router, compares case-sensitively, also after
 * percent-decoding, and does not resolve dot segments.
 */
export function liesUnder(target: string, basePath: string): boolean {
  const [path = ''] = withoutOrigin(target).split(/[?#]/, 1);
  return isAtOrBelow(path, basePath) || isAtOrBelow(decode(path), basePath);
}

/** Returns the part of a target below a prefix, or the root if the target leaves it. */
export function localTarget(prefix: string, target: string): string {
  const resolved = resolveTarget(target);
  if (prefix === '') return resolved;
  return resolved.startsWith(`${prefix}/`) ? resolved.slice(prefix.length) : NOWHERE;
}

function isAtOrBelow(path: string, basePath: string): boolean {
  return path === basePath || path.startsWith(`${basePath}/`);
}

function decode(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
