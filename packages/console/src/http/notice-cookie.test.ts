import { expect, it } from 'vitest';
import { NOTICES_OF_FEATURES } from '../features/features.js';
import type { NoticeNames } from './notices.js';
import { noNoticeCookie, noticeCookie, readCookie, readNotice } from './notices.js';

function sent(cookie: string) {
  return { headers: new Headers({ cookie: `a=b; ${cookie.split(';')[0]}` }) };
}

const NOTICES: readonly (readonly [NoticeNames['parts'], 'done' | 'refused', string])[] = [
  [['company-renamed'], 'done', 'The company was renamed.'],
  [['choose-key'], 'refused', 'Choose a partner key.'],
  [
    [
      ['events-sent', 1_200],
      ['events-due', 1],
    ],
    'done',
    'The worker sends 1,200 events now. 1 were due anyway.',
  ],
  [
    [['bootstrap-until', 1_767_571_200_000]],
    'done',
    'The key may submit more until 2026-01-05T00:00:00.000Z.',
  ],
];

it.each(NOTICES)('keeps a notice until the next page: %j', (parts, kind, text) => {
  const cookie = noticeCookie({ parts }, '/console', { isSecure: true, isEmbedded: false });
  expect(readNotice(sent(cookie), NOTICES_OF_FEATURES)).toEqual({ kind, text });
  expect(cookie).toContain('; Path=/console; Max-Age=60; HttpOnly; SameSite=Strict; Secure');
  expect(noticeCookie({ parts }, '/console', { isSecure: false, isEmbedded: false })).not.toContain('Secure');
  expect(readNotice(sent(noNoticeCookie('/console', false)), NOTICES_OF_FEATURES)).toBeNull();
});

const FOREIGN = Buffer.from('{"kind":"done","text":"Call 0800 555 at once"}').toString('base64url');

it.each([
  '',
  'nonsense',
  FOREIGN,
  'Call 0800 555 at once',
  'toString',
  '__proto__',
  'company-renamed.5',
  'events-sent',
  'events-sent.-1',
  'events-sent.x',
  'events-sent.9999999999999999',
  'company-renamed~choose-key',
  'company-renamed~nonsense',
  'company-renamed~',
  '~'.repeat(5_000),
])('a cookie %j is no notice', (value) => {
  expect(readNotice(sent(`partner_hiring_console_notice=${value}`), NOTICES_OF_FEATURES)).toBeNull();
});

it('reads a cookie by its whole name', () => {
  expect(readCookie({ headers: new Headers({ cookie: 'xa=1; a=2=3; b=4' }) }, 'a')).toBe('2=3');
  expect(readCookie({ headers: new Headers() }, 'a')).toBeNull();
});

it.each(['a=1; a=2', 'a=1; a=1', 'a=1; b=2; a=', 'a; a=1'])(
  'reads no cookie whose name is there twice: %j',
  (cookie) => {
    expect(readCookie({ headers: new Headers({ cookie }) }, 'a')).toBeNull();
  },
);
