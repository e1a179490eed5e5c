/** A host's name has 253 characters (RFC 1035, section 2.3.4), and some times as many where they are escaped. */
const MAX_AUTHORITY = 1_000;
/** What parsers take for host and port, whatever slashes and blanks they forgive before it. */
const AUTHORITY = /^[^:]*:[/\\\s]*([^/\\?#]*)/;

/**
 * A text as a URL; null if it is none, or its host is longer than any can be. A parser takes time by the square of
 * a host that is not ASCII: seconds for a body of the size that is allowed.
 */
export function parseUrl(text: string): URL | null {
  const authority = AUTHORITY.exec(text)?.[1] ?? '';
  if (authority.length > MAX_AUTHORITY) return null;
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
