const MAX_AUTHORITY = 1_000;
const AUTHORITY = /^[^:]*:[/\\\s]*([^/\\?#]*)/;

/**
 * Returns null if the URL is invalid or its host is too long. A limit is needed, because parsing a non-ASCII
 * host takes quadratic time.
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
