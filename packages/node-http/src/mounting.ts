import { type Handler, OperatorError, resolveTarget } from '@partner-hiring/core';

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

/**
 * Returns the handler. Throws if the value has none, for example because it is a promise. If the host passed the
 * adapter function itself to its framework, the value is a request.
 */
export function handlerOf(mountable: { readonly handler: Handler }, adapter: string): Handler {
  const given: { readonly handler?: Handler } | undefined = mountable;
  if (typeof given?.handler === 'function') return given.handler;
  throw new OperatorError(
    'MISCONFIGURED',
    `${adapter} needs the result of createPartnerHiring: \`${adapter}(partnerHiring)\`.`,
  );
}

/** Rejects a prefix that contains the base path, which the adapter adds itself. */
export function refuseBasePathTwice(prefix: string, basePath: string, adapter: string): void {
  if (basePath === '' || !prefix.replace(/\/$/, '').endsWith(basePath)) return;
  throw new OperatorError(
    'MISCONFIGURED',
    `${adapter} is mounted at "${prefix}" and would serve ${prefix}${basePath}. ` +
      `Mount it without "${basePath}": the adapter adds that path itself. ` +
      'To change the path, set `basePath` of createPartnerHiring.',
  );
}
