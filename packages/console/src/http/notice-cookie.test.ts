import { expect, it } from 'vitest';
import { noNoticeCookie, noticeCookie, readCookie, readNotice } from './notice-cookie.js';

function sent(cookie: string) {
  return { headers: new Headers({ cookie: `a=b; ${cookie.split(';')[0]}` }) };
}

it.each(['done', 'refused'] as const)('keeps a notice until the next page: %s', (kind) => {
  const notice = { kind, text: 'Erased “this”; é' };
  const cookie = noticeCookie(notice, '/console', true);
  expect(readNotice(sent(cookie))).toEqual(notice);
  expect(cookie).toContain('; Path=/console; Max-Age=60; HttpOnly; SameSite=Strict; Secure');
  expect(noticeCookie(notice, '/console', false)).not.toContain('Secure');
  expect(readNotice(sent(noNoticeCookie('/console')))).toBeNull();
});

it.each(['', 'nonsense', 'e30', 'eyJ0ZXh0IjoxfQ', 'bnVsbA'])('a cookie %j is no notice', (value) => {
  expect(readNotice(sent(`partner_hiring_console_notice=${value}`))).toBeNull();
});

it('shortens long texts, because browsers drop large cookies', () => {
  const cookie = noticeCookie({ kind: 'done', text: 'x'.repeat(10_000) }, '/', false);
  expect(cookie.length).toBeLessThan(4_096);
});

it('reads a cookie by its whole name', () => {
  expect(readCookie({ headers: new Headers({ cookie: 'xa=1; a=2=3; b=4' }) }, 'a')).toBe('2=3');
  expect(readCookie({ headers: new Headers() }, 'a')).toBeNull();
});
