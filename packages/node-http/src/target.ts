import { resolveTarget } from '@partner-hiring/core';

/** The scheme and host of an absolute URL, which servers must accept as a target (RFC 9112, section 3.2.2). */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/\\?#]*/i;

/** The handler serves nothing at the root. */
const NOWHERE = '/';

/** Removes scheme and host from a target. */
export function withoutOrigin(target: string): string {
  return target.startsWith('/') ? target : target.replace(ORIGIN, '');
}

/**
 * Whether a target is a path or below it, as a router compares them: case-sensitive, after percent-decoding. Does
 * not resolve dot segments; `resolveTarget` does that.
 */
export function liesUnder(target: string, basePath: string): boolean {
  const [path = ''] = withoutOrigin(target).split(/[?#]/, 1);
  return isAtOrBelow(path, basePath) || isAtOrBelow(decode(path), basePath);
}

/**
 * Returns the part of a target below a prefix, for the handler. A target that leaves the prefix, such as
 * `/hiring/../api/v1/external/jobs`, becomes the root.
 */
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
