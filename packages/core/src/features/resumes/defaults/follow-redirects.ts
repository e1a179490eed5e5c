import type { IncomingHttpHeaders } from 'node:http';
import type { SafeEnd } from '../../../defaults/safe-http/safe-http.js';
import type { ResumeFailure } from '../../../ports/resumes.js';

/** A share link, a short link and a signed link take three. */
const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status);
}

type Answer = Extract<SafeEnd, { kind: 'answered' }>;

export type Followed =
  | { readonly kind: 'answered'; readonly url: string; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly reason: ResumeFailure };

/**
 * Requests a URL, and follows at most five redirects. `get` must check each URL, because a server chooses all
 * but the first. Returns the answer that is not a redirect, with its URL.
 */
export async function followRedirects(
  firstUrl: string,
  get: (url: string) => Promise<SafeEnd>,
): Promise<Followed> {
  let url = firstUrl;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const end = await get(url);
    if (end.kind === 'failed') return { kind: 'failed', reason: end.failure };
    if (!isRedirect(end.status)) return { kind: 'answered', url, answer: end };
    const location = readLocation(end.headers);
    if (location === null) return { kind: 'failed', reason: 'bad_status' };
    const target = resolveTarget(location, url);
    if (target === null) return { kind: 'failed', reason: 'url_refused' };
    url = target;
  }
  return { kind: 'failed', reason: 'too_many_redirects' };
}

/** Returns null if there is no target or, like browsers, if there are several different ones. */
function readLocation({ location }: IncomingHttpHeaders): string | null {
  // undici lists the values of a repeated header, although its type says otherwise.
  const values: readonly string[] = location === undefined ? [] : [location].flat();
  const [first = '', ...others] = values.map((value) => value.trim());
  return first === '' || others.some((other) => other !== first) ? null : encodeBytes(first);
}

/** Percent-encodes the bytes above ASCII, in any encoding. undici decodes headers as Latin-1, byte by byte. */
function encodeBytes(text: string): string {
  return text.replace(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Returns null if the target is no URL, or if it leads from https to http. */
function resolveTarget(location: string, base: string): string | null {
  if (!URL.canParse(location, base)) return null;
  const target = new URL(location, base);
  return target.protocol === 'http:' && new URL(base).protocol === 'https:' ? null : target.href;
}
