import type { ConsoleNotice } from './screen.js';

const NAME = 'partner_hiring_console_notice';
const SECONDS = 60;
const LONGEST_TEXT = 1_000;

/** The header that keeps a notice until the next page. */
export function noticeCookie(notice: ConsoleNotice, path: string, isSecure: boolean): string {
  const { kind, text } = notice;
  const value = Buffer.from(JSON.stringify({ kind, text: text.slice(0, LONGEST_TEXT) })).toString(
    'base64url',
  );
  return `${NAME}=${value}; Path=${path}; Max-Age=${SECONDS}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}

/** The header that deletes the notice. */
export function noNoticeCookie(path: string): string {
  return `${NAME}=; Path=${path}; Max-Age=0; HttpOnly; SameSite=Strict`;
}

/** Reads the notice of a request. Null if there is none. */
export function readNotice(request: Pick<Request, 'headers'>): ConsoleNotice | null {
  const value = readCookie(request, NAME);
  if (value === null || value === '') return null;
  try {
    const { kind, text } = JSON.parse(Buffer.from(value, 'base64url').toString('utf8')) as Record<
      string,
      unknown
    >;
    if (typeof text !== 'string') return null;
    return { kind: kind === 'refused' ? 'refused' : 'done', text: text.slice(0, LONGEST_TEXT) };
  } catch {
    return null;
  }
}

/** Returns the value of a cookie, or null. */
export function readCookie({ headers }: Pick<Request, 'headers'>, name: string): string | null {
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const [key, ...value] = pair.split('=');
    if (key?.trim() === name) return value.join('=').trim();
  }
  return null;
}
