import { type NoticeNames, readNoticeText, type ShownNotice, writeNotice } from './notices.js';

const NAME = 'partner_hiring_console_notice';
const SECONDS = 60;

/** The header that keeps a notice until the next page. */
export function noticeCookie(notice: NoticeNames, path: string, isSecure: boolean): string {
  return `${NAME}=${writeNotice(notice)}; Path=${path}; Max-Age=${SECONDS}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}

/** The header that deletes the notice. */
export function noNoticeCookie(path: string): string {
  return `${NAME}=; Path=${path}; Max-Age=0; HttpOnly; SameSite=Strict`;
}

/** Reads the notice of a request. Null if there is none, or if it is not one of the console's. */
export function readNotice(request: Pick<Request, 'headers'>): ShownNotice | null {
  const value = readCookie(request, NAME);
  return value === null || value === '' ? null : readNoticeText(value);
}

/** Returns the value of a cookie, or null. */
export function readCookie({ headers }: Pick<Request, 'headers'>, name: string): string | null {
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const [key, ...value] = pair.split('=');
    if (key?.trim() === name) return value.join('=').trim();
  }
  return null;
}
