/** A whole URL as a request target, which every server must take (RFC 9112, section 3.2.2), up to its path. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/\\?#]*/i;

/** A request target from its path on. */
export function withoutOrigin(target: string): string {
  return target.startsWith('/') ? target : target.replace(ORIGIN, '');
}
