import { misconfiguration } from '../errors.js';

export interface RequestTarget {
  readonly path: string;
  readonly query: string;
}

/** The path of the API, unless the host chooses another one. */
export const DEFAULT_BASE_PATH = '/api/v1/external';

/**
 * Validates `basePath` and removes a slash at its end, so that `/` becomes empty.
 * @throws OperatorError `MISCONFIGURED` if no request path could match
 */
export function readBasePath(text: string): string {
  const path = String(text).replace(/\/$/, '');
  if (/^(?:\/[A-Za-z0-9._~-]+)*$/.test(path)) return path;
  throw misconfiguration(
    '`basePath` must begin with a slash and consist of letters, digits and `-._~`, for example "/api/v1/external".',
  );
}

/**
 * Validates the public origin of the API and removes a slash at its end. A path is allowed, for an API behind a prefix.
 * @throws OperatorError `MISCONFIGURED` if the origin is not an absolute URL
 */
export function readOrigin(text: string): string {
  const origin = String(text).replace(/\/$/, '');
  // Only characters that a shell takes literally, because the guides put the origin into commands.
  if (/^https?:\/\/[\w.:[\]-]+(?:\/[\w.~-]+)*$/.test(origin) && URL.canParse(origin)) return origin;
  throw misconfiguration(
    '`origin` must be the public URL of the server without the base path, for example "https://hiring.example.com".',
  );
}

/** Every server must accept a whole URL (RFC 9112, section 3.2.2). */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/\\?#]*/i;

const UNRESOLVED = /\\|\/(?:\.|%2e){1,2}(?:\/|$)/i;

const REWRITTEN = ['/.', '%', '#', '\\'];

function isPlain(target: string): boolean {
  return target.startsWith('/') && !REWRITTEN.some((text) => target.includes(text));
}

/**
 * Returns path and query with dot segments resolved (WHATWG URL, section 4.4). Adapters route by it.
 * @example
 * resolveTarget('/x/%2e%2e/api/v1/external/jobs?limit=5'); // '/api/v1/external/jobs?limit=5'
 * resolveTarget('http://hiring.example.com/api/v1/external/jobs#top'); // '/api/v1/external/jobs'
 */
export function resolveTarget(target: string): string {
  if (isPlain(target)) return target;
  const { path, query } = split(target);
  const isUnresolved = /^[/\\]/.test(path) && UNRESOLVED.test(path);
  return `${isUnresolved ? new URL(`http://localhost${path}`).pathname : path}${query}`;
}

export function readTarget(target: string): RequestTarget {
  const resolved = resolveTarget(target);
  const mark = resolved.indexOf('?');
  return mark === -1
    ? { path: resolved, query: '' }
    : { path: resolved.slice(0, mark), query: resolved.slice(mark + 1) };
}

export function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

function split(target: string): RequestTarget {
  const [local = ''] = target.replace(ORIGIN, '').split('#', 1);
  const mark = local.indexOf('?');
  return mark === -1 ? { path: local, query: '' } : { path: local.slice(0, mark), query: local.slice(mark) };
}
