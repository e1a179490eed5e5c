import { describe, expect, it } from 'vitest';
import type { ClaimedKeyAlert } from '../../domain/alert.js';
import { DAY_MS, HOUR_MS } from '../../domain/time.js';
import { messageOf } from './message-rules.js';

const AT = Date.UTC(2026, 10, 28, 14, 5, 9);
const ROBIN = { name: 'Robin Field', email: 'robin@ats.example' };
const PARTNER = {
  partnerId: 'ptn_4711',
  partnerName: 'Acme ATS',
  environment: 'production',
  contact: ROBIN,
} as const;
const HEAD = {
  id: 'alr_4711',
  keyId: 'key_4711',
  at: AT,
  origin: 'https://ats.example',
  ...PARTNER,
} as const;
const FAILING = {
  ...HEAD,
  kind: 'endpoint_failing',
  reason: 'one_hour',
  failingSince: AT - HOUR_MS,
  attempts: 3,
  lastFailure: { kind: 'answered', status: 503 },
} as const;
const DEAD = {
  ...HEAD,
  kind: 'delivery_dead',
  eventId: 'evt_4711',
  attempts: 10,
  isFirstOfDay: true,
} as const;
const URL_CHANGED = {
  ...HEAD,
  kind: 'endpoint_url_changed',
  origin: 'https://new.example',
  oldOrigin: 'https://ats.example',
  isSameHost: false,
  restorableUntil: AT + DAY_MS,
  door: 'api',
} as const;
const PATH_CHANGED = { ...URL_CHANGED, origin: URL_CHANGED.oldOrigin, isSameHost: true } as const;

const ROTATED = {
  ...HEAD,
  kind: 'signing_secret_rotated',
  oldSecretsExpireAt: AT + DAY_MS,
  door: 'api',
} as const;
const COLLECTED = {
  ...PARTNER,
  id: 'alr_4712',
  kind: 'messages_collected',
  keyId: 'key_4711',
  at: AT + HOUR_MS,
  count: 3,
  since: AT - HOUR_MS / 2,
  last: ROTATED,
} as const;

/** One alert for each text that a message can have. */
const ALERTS: readonly ClaimedKeyAlert[] = [
  FAILING,
  { ...FAILING, reason: 'near_pause', lastFailure: null },
  ...(['timed_out', 'tls_failed', 'address_refused'] as const).map((failure) => ({
    ...FAILING,
    lastFailure: { kind: 'failed', failure } as const,
  })),
  ...(['consecutive_failures', 'no_success', 'gone'] as const).map(
    (reason) => ({ ...HEAD, kind: 'endpoint_paused', reason }) as const,
  ),
  DEAD,
  URL_CHANGED,
  PATH_CHANGED,
  { ...URL_CHANGED, oldOrigin: null, restorableUntil: null },
  { ...URL_CHANGED, door: 'portal' },
  ROTATED,
  { ...ROTATED, door: 'portal' },
  ...(['api', 'portal'] as const).map(
    (door) => ({ ...HEAD, kind: 'key_rotated', lastFour: 'wxyz', door }) as const,
  ),
  COLLECTED,
  { ...HEAD, kind: 'key_secret_ending', lastFour: 'wxyz', endsAt: AT + HOUR_MS },
  { ...HEAD, kind: 'signing_secret_ending', endsAt: AT + HOUR_MS },
];

const OPTIONS = {
  portalUrl: 'https://hiring.example.com/portal/',
  support: { email: 'partners@hiring.example.com', url: 'https://hiring.example.com/help' },
};

const textOf = (alert: ClaimedKeyAlert, options = {}) => {
  const message = messageOf(alert, options);
  return message === null ? '' : `${message.subject}\n${message.text}`;
};

/** Words of the code, of the operator, and of the database. */
const INTERNAL =
  /[a-z]_[a-z]|\b(?:near.pause|dead|letter|consecutive|watermark|lease|worker|cycle|settle|null|undefined|NaN|alert|operator|ptn|key_|evt_|alr_|[a-z]+[A-Z][a-z]+)\b|\d{10,}/;

describe('a message', () => {
  it('says what happened, what to do and until when', () => {
    expect(messageOf(FAILING, OPTIONS)).toEqual({
      to: { name: 'Robin Field', address: 'robin@ats.example' },
      subject: 'We cannot reach your production webhook endpoint',
      text: `Hello Robin Field,

Since 2026-11-28 13:05 UTC, your production webhook endpoint at https://ats.example has not accepted any event. At the last attempt, it answered with status 503.

Please check your server. We stop sending after 50 failed attempts in a row, or when an attempt fails after 2026-11-29 13:05 UTC, which is 24 hours without success. No event is lost: we keep each one until it can be sent.

See it in the portal: https://hiring.example.com/portal/endpoints/key_4711

Questions? Please write to partners@hiring.example.com or see https://hiring.example.com/help.

You get this message as the contact of Acme ATS.
`,
      link: 'https://hiring.example.com/portal/endpoints/key_4711',
    });
  });

  it.each(ALERTS.map((alert, index) => [`${alert.kind} (${index})`, alert] as const))(
    'about %s is in plain words, without ids',
    (_, alert) => {
      for (const options of [{}, { support: OPTIONS.support }]) {
        const text = textOf(alert, options);
        expect(text).toContain('Acme ATS');
        expect(text).toMatch(/production/);
        expect(text).not.toMatch(INTERNAL);
        expect(text).not.toMatch(/ {2}|\.\.|,,|https?:\/\/\S*portal/);
      }
    },
  );

  it.each([
    [FAILING, '/endpoints/key_4711'],
    [DEAD, '/deliveries'],
    [{ ...HEAD, kind: 'key_secret_ending', lastFour: 'wxyz', endsAt: AT }, '/keys/key_4711'],
  ] as const)('links to the page of the portal that it is about: %#', (alert, path) => {
    const message = messageOf(alert, OPTIONS);
    expect(message?.link).toBe(`https://hiring.example.com/portal${path}`);
    expect(message?.text).toContain(message?.link);
  });

  it('names the support without a portal, and asks for a reply without both', () => {
    const { portalUrl: _, ...onlySupport } = OPTIONS;
    expect(messageOf(DEAD, onlySupport)).toMatchObject({
      link: null,
      text: expect.stringMatching(/tell us, and we resend it[\s\S]*write to partners@hiring\.example\.com/),
    });
    expect(messageOf(DEAD, {})?.text).toContain('Questions? Reply to this message.');
    expect(messageOf(DEAD, OPTIONS)?.text).toContain('resend it in the portal, or ask us to');
  });

  it('tells another path of the same host from another host', () => {
    expect(messageOf(URL_CHANGED, {})?.text).toContain('from https://ats.example to https://new.example.');
    expect(messageOf(PATH_CHANGED, {})?.text).toContain(
      'to another path of the same host, https://ats.example.',
    );
  });

  it('that stands for several says how many, from when to when, and what the last one was about', () => {
    const own = messageOf(ROTATED, OPTIONS);
    const summary =
      'This message stands for 3 of its kind, from 2026-11-28 13:35 UTC to 2026-11-28 14:05 UTC. Here is the last one.';
    const text = own?.text.replace('Field,\n', `Field,\n\n${summary}\n`);
    expect(messageOf(COLLECTED, OPTIONS)).toEqual({ ...own, text });
    expect(messageOf({ ...COLLECTED, count: 1 }, OPTIONS)).toEqual(own);
    expect(messageOf({ ...COLLECTED, count: 0 }, OPTIONS)).toBeNull();
    expect(messageOf({ ...ROTATED, isHeld: true }, OPTIONS)).toBeNull();
  });

  it('does not exist without a contact, and for what concerns only the host', () => {
    for (const alert of ALERTS) expect(messageOf({ ...alert, contact: null }, OPTIONS)).toBeNull();
    expect(messageOf({ ...DEAD, isFirstOfDay: false }, OPTIONS)).toBeNull();
    const parked = { ...HEAD, kind: 'inbox_item_parked', itemId: 'ibx_1' as never, failures: 10 } as const;
    expect(messageOf(parked, OPTIONS)).toBeNull();
  });

  it('has no line that a hostile name has added', () => {
    const hostile = 'Robin\r\nBcc: all@evil.example\u2028\u2029\u0085\u202e\n\nPay here';
    const told = {
      ...FAILING,
      partnerName: hostile,
      contact: { ...ROBIN, name: hostile },
    };
    const honest = messageOf(FAILING, OPTIONS);
    const message = messageOf(told, OPTIONS);
    const lines = (text = '') => text.split(/[\r\n\u0085\u2028\u2029]/).length;
    expect(lines(message?.text)).toBe(lines(honest?.text));
    for (const header of [message?.subject, message?.to.name, message?.to.address])
      expect(header).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
    expect(message?.to.name).toBe('Robin Bcc: all@evil.example Pay here');
  });

  it.each([
    'robin',
    'robin@ats.example\r\nBcc: x@evil.example',
    '"a, b"@ats.example',
    'a@b.example, c@d.example',
  ])('is not sent to what is no address: %j', (email) => {
    expect(messageOf({ ...FAILING, contact: { ...ROBIN, email } }, OPTIONS)).toBeNull();
  });
});
