import { BLANK_IN_LINE, codePointOf, trimEdges } from './text.js';

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

/** The hosts of this machine, as `URL` writes them. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Returns whether nobody on the network can read or change what goes to a URL. */
export function isHttpsOrLoopback({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

const ORIGIN_AND_REST = /^(https?:\/\/[^\s/?#\\]+)([/?#\\].*)$/is;
/** White space, and the invisible marks that copied links begin or end with. Others may belong to a file's name. */
const AROUND_LINK = /(?!\p{Cc})[\s\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/u;
const BLANKS = new RegExp(BLANK_IN_LINE, 'gu');
const UNPRINTABLE = /[\t\n\v\f\r]/;

/**
 * Removes the blanks and invisible marks around a link, and encodes those in its path, query and fragment. A blank text
 * becomes empty. Decision 10.
 */
export function encodeBlanks(link: string): string {
  if (link.trim() === '') return '';
  const trimmed = trimEdges(link, AROUND_LINK);
  const [, origin = '', rest] = ORIGIN_AND_REST.exec(trimmed) ?? [];
  return rest === undefined ? trimmed : origin + rest.replace(BLANKS, encodeURIComponent);
}

/** Returns why a link cannot be downloaded. Null if it can. */
export function problemOfLink(link: string): string | null {
  if (!/^https?:\/\//i.test(link)) return 'Must be a URL that starts with https:// or http://.';
  const [control] = UNPRINTABLE.exec(link) ?? [];
  if (control !== undefined)
    return `Must not contain tabs or line breaks. It contains ${codePointOf(control)}.`;
  const url = /^\S+$/.test(link) ? parseUrl(link) : null;
  if (url === null)
    return 'Must be a valid URL: its host is not a valid name or address, or its port is not valid.';
  if (url.username === '' && url.password === '') return null;
  return 'Must be a URL without credentials: remove the user and the password before the host.';
}
