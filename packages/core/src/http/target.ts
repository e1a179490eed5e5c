/** A request target, taken apart but not decoded. */
export interface RequestTarget {
  readonly path: string;
  /** Without the question mark; empty if there is none. */
  readonly query: string;
}

/** Proxies may send a whole URL, and every server must take one (RFC 9112, section 3.2.2). */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** Splits a request target into path and query. A fragment is no part of either. */
export function readTarget(target: string): RequestTarget {
  const local = withoutFragment(target.startsWith('/') ? target : target.replace(ORIGIN, ''));
  const mark = local.indexOf('?');
  if (mark === -1) return { path: local, query: '' };
  return { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

/** The text that a path segment spells, or null if its percent-encoding is broken. */
export function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

function withoutFragment(target: string): string {
  const hash = target.indexOf('#');
  return hash === -1 ? target : target.slice(0, hash);
}
