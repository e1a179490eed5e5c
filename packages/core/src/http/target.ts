/** A request target, taken apart but not decoded. */
export interface RequestTarget {
  readonly path: string;
  /** Without the question mark; empty if there is none. */
  readonly query: string;
}

/** Proxies may send a whole URL, and every server must take one (RFC 9112, section 3.2.2). */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/\\?#]*/i;

/** What a URL parser changes in a path: dot segments, with `%2e` for a dot too, and backslashes. */
const UNRESOLVED = /\\|\/(?:\.|%2e){1,2}(?:\/|$)/i;

/** Whether nothing of a target is to be resolved or cut off, as of nearly all of them. */
function isPlain(target: string): boolean {
  return target.startsWith('/') && !REWRITTEN.some((text) => target.includes(text));
}

const REWRITTEN = ['/.', '%', '#', '\\'];

/**
 * Returns a request target from its path on, without a fragment and with its dot segments resolved: what the URL
 * standard makes of it (WHATWG URL, section 4.4). Nothing else in it changes.
 *
 * A server that speaks `Request` sees nothing else, so that all adapters agree only if each of them goes by it. An
 * adapter that finds its requests by their path asks this, and the handler does so itself.
 *
 * @example
 * ```ts
 * resolveTarget('/x/%2e%2e/api/v1/external/jobs?limit=5'); // '/api/v1/external/jobs?limit=5'
 * resolveTarget('http://hiring.example.com/api/v1/external/jobs#top'); // '/api/v1/external/jobs'
 * ```
 */
export function resolveTarget(target: string): string {
  if (isPlain(target)) return target;
  const { path, query } = split(target);
  const isUnresolved = /^[/\\]/.test(path) && UNRESOLVED.test(path);
  return `${isUnresolved ? new URL(`http://localhost${path}`).pathname : path}${query}`;
}

/** Splits a request target, once it is resolved, into path and query. */
export function readTarget(target: string): RequestTarget {
  const resolved = resolveTarget(target);
  const mark = resolved.indexOf('?');
  return mark === -1
    ? { path: resolved, query: '' }
    : { path: resolved.slice(0, mark), query: resolved.slice(mark + 1) };
}

/** The text that a path segment spells, or null if its percent-encoding is broken. */
export function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** The query begins with its question mark. A fragment is no part of either. */
function split(target: string): RequestTarget {
  const [local = ''] = target.replace(ORIGIN, '').split('#', 1);
  const mark = local.indexOf('?');
  return mark === -1 ? { path: local, query: '' } : { path: local.slice(0, mark), query: local.slice(mark) };
}
