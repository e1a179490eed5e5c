/** A host name has at most 253 characters (RFC 1035, section 2.3.4), or more if escaped. */
const MAX_AUTHORITY = 1_000;
/** Host and port, after any slashes and white space that parsers ignore. */
const AUTHORITY = /^[^:]*:[/\\\s]*([^/\\?#]*)/;

/**
 * Returns null if it is invalid or its host is too long. Parsing a host that is not ASCII takes quadratic
 * time: seconds for the largest allowed body.
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
