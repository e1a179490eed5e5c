import { BODY, EVENT, reasonOf, SECRET, T, verify } from '@partner-hiring/test-support/signed-event';
import { expect, expectTypeOf, test } from 'vitest';
import { type Open, type PartnerEvent, signWebhook, verifyWebhook, type WebhookHeaders } from './index.js';

async function signatureHeader(body = BODY): Promise<string> {
  return (await signWebhook({ body, secret: SECRET, timestamp: T }))['X-Partner-Signature'];
}

test('returns the event of a signed delivery', async () => {
  expect(await verify()).toEqual({ ok: true, event: EVENT });
});

test.each([
  ['a string', BODY],
  ['a Uint8Array', new TextEncoder().encode(BODY)],
  ['a Buffer', Buffer.from(BODY)],
  ['a part of a larger buffer', new TextEncoder().encode(`--${BODY}--`).subarray(2, -2)],
  ['an ArrayBuffer', new TextEncoder().encode(BODY).buffer],
])('accepts a body as %s', async (_, body) => {
  expect(await reasonOf({ body })).toBe('verified');
});

test('reads headers in any letter case from a plain object, array values or a Headers object', async () => {
  const signed = await signWebhook({ body: BODY, secret: SECRET, timestamp: T });
  const entries = Object.entries(signed);
  for (const headers of [
    Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value])),
    Object.fromEntries(entries.map(([name, value]) => [name.toUpperCase(), value])),
    Object.fromEntries(entries.map(([name, value]) => [name, [value]])),
    Object.fromEntries(
      entries.flatMap(([name, value]) => [
        [name, value],
        [name.toLowerCase(), undefined],
      ]),
    ),
    new Headers(entries),
    new Map(entries.map(([name, value]) => [name.toLowerCase(), value])) as unknown as Headers,
  ]) {
    expect(await reasonOf({ headers })).toBe('verified');
  }
});

test('ignores other headers', async () => {
  const signed = await signWebhook({ body: BODY, secret: SECRET, timestamp: T });
  const headers = { ...signed, host: 'ats.example', cookie: undefined, via: ['a', 'b'] };
  expect(await reasonOf({ headers })).toBe('verified');
});

test.each([
  ['no header at all', {}],
  ['only the timestamp', { 'X-Partner-Timestamp': String(T) }],
  ['an undefined value', { 'X-Partner-Signature': undefined }],
  ['null, as Headers.get has it', { 'X-Partner-Signature': null, 'X-Partner-Timestamp': null }],
  ['an empty list', { 'X-Partner-Signature': [] }],
  ['no headers, as a gateway hands over none', null],
  ['undefined in their place', undefined],
  ['a Map without it', new Map()],
])('returns missing_header for %s', async (_, headers) => {
  expect(await reasonOf({ headers: headers as WebhookHeaders })).toBe('missing_header');
});

test('returns malformed_header for a repeated signature header in any framework', async () => {
  const value = await signatureHeader();
  const time = { 'X-Partner-Timestamp': String(T) };
  const joined = new Headers(time);
  joined.append('X-Partner-Signature', value);
  joined.append('X-Partner-Signature', value);
  for (const headers of [
    { ...time, 'X-Partner-Signature': [value, value] },
    { ...time, 'X-Partner-Signature': value, 'x-partner-signature': value },
    joined,
  ]) {
    expect(await reasonOf({ headers })).toBe('malformed_header');
  }
});

test('verifies a signature header that a proxy split at its comma, in any framework', async () => {
  const [time = '', digest = ''] = (await signatureHeader()).split(',');
  const joined = new Headers({ 'X-Partner-Timestamp': String(T) });
  joined.append('X-Partner-Signature', time);
  joined.append('X-Partner-Signature', digest);
  const plain = { 'X-Partner-Timestamp': String(T), 'X-Partner-Signature': [time, digest] };
  for (const headers of [plain, joined]) expect(await reasonOf({ headers })).toBe('verified');
});

test.each([
  ['missing', undefined],
  ['null', null],
  ['another second', String(T + 1)],
  ['the same number written otherwise', `0${T}`],
  ['sent twice', [String(T), String(T)]],
])('returns timestamp_mismatch for a timestamp header that is %s', async (_, timestamp) => {
  const headers = { 'X-Partner-Signature': await signatureHeader(), 'X-Partner-Timestamp': timestamp };
  expect(await reasonOf({ headers })).toBe('timestamp_mismatch');
});

test('the hint of a timestamp_mismatch says that the header may be missing', async () => {
  const result = await verify({ headers: { 'X-Partner-Signature': await signatureHeader() } });
  expect(result).toMatchObject({
    reason: 'timestamp_mismatch',
    hint: 'X-Partner-Timestamp is missing or not t. Pass headers as sent.',
  });
});

test('the hint for a body in base64, as Lambda passes it, says to decode it', async () => {
  const result = await verify({ body: Buffer.from(BODY).toString('base64') });
  expect(result).toMatchObject({
    reason: 'no_matching_signature',
    hint: expect.stringContaining('Decode base64.'),
  });
});

test.each([
  [300, 'verified'],
  [301, 'too_old'],
  [-300, 'verified'],
  [-301, 'too_new'],
  [86_400 * 365, 'too_old'],
  [-86_400 * 365, 'too_new'],
])('verifies %i s after signing: %s', async (seconds, expected) => {
  expect(await reasonOf({ now: (T + seconds) * 1000 })).toBe(expected);
  expect(await reasonOf({ now: new Date((T + seconds) * 1000) })).toBe(expected);
});

test('accepts only the same second with a tolerance of 0', async () => {
  const zero = { toleranceSeconds: 0 };
  expect(await reasonOf({ ...zero, now: T * 1000 + 999 })).toBe('verified');
  expect(await reasonOf({ ...zero, now: (T + 1) * 1000 })).toBe('too_old');
  expect(await reasonOf({ ...zero, now: T * 1000 - 1 })).toBe('too_new');
});

test.each([Number.NaN, -1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, null, '300'])(
  'a tolerance of %s is refused by throwing, never taken as no check',
  async (tolerance) => {
    await expect(verify({ toleranceSeconds: tolerance as number })).rejects.toThrow(TypeError);
  },
);

test.each([Number.NaN, Number.POSITIVE_INFINITY, new Date('never'), '2025'])(
  'a time of %s is refused by throwing',
  async (now) => {
    await expect(verify({ now: now as number })).rejects.toThrow(TypeError);
  },
);

test.each([[''], [[]], [['whsec_a', '']], [undefined], [null], [[undefined]], [{}]])(
  'a secret of %j is refused by throwing: an empty key would let anybody sign',
  async (secret) => {
    await expect(verify({ secret: secret as string })).rejects.toThrow(TypeError);
    await expect(signWebhook({ body: BODY, secret: secret as string })).rejects.toThrow(TypeError);
  },
);

test.each([
  ' ',
  '\t\r\n',
  '\u0085',
  '\u00A0\u1680\u2003\u2028\u2029\u202F\u205F\u3000',
  '\uFEFF\u200B',
  '\0',
  '...',
  ['whsec_a', ' '],
])('throws for a secret without a letter or digit: %j', async (secret) => {
  await expect(verify({ secret })).rejects.toThrow(TypeError);
  await expect(verify({ secret })).rejects.toThrow(/secret/);
  await expect(signWebhook({ body: BODY, secret })).rejects.toThrow(TypeError);
});

test('uses the system clock by default', async () => {
  const headers = await signWebhook({ body: BODY, secret: SECRET });
  expect(await verifyWebhook({ body: BODY, headers, secret: SECRET })).toMatchObject({ ok: true });
  const stale = await signWebhook({ body: BODY, secret: SECRET, timestamp: T });
  expect(await verifyWebhook({ body: BODY, headers: stale, secret: SECRET })).toMatchObject({
    reason: 'too_old',
  });
});

test('matches any secret with any signature during a rotation', async () => {
  const both = await signWebhook({ body: BODY, secret: ['whsec_new', 'whsec_old'], timestamp: T });
  expect(await reasonOf({ headers: { ...both }, secret: 'whsec_old' })).toBe('verified');
  expect(await reasonOf({ headers: { ...both }, secret: 'whsec_new' })).toBe('verified');
  expect(await reasonOf({ headers: { ...both }, secret: ['whsec_other', 'whsec_old'] })).toBe('verified');
  expect(await reasonOf({ headers: { ...both }, secret: ['whsec_new', 'whsec_old'] })).toBe('verified');
  expect(await reasonOf({ headers: { ...both }, secret: 'whsec_other' })).toBe('no_matching_signature');
});

test('does not match a secret without its prefix', async () => {
  expect(await reasonOf({ secret: SECRET.slice('whsec_'.length) })).toBe('no_matching_signature');
  expect(await reasonOf({ secret: `${SECRET}\n` })).toBe('no_matching_signature');
});

test('does not match a body that was serialized again', async () => {
  expect(await reasonOf({ body: JSON.stringify(EVENT, null, 2) })).toBe('no_matching_signature');
});

test.each([
  ['an object', EVENT],
  ['an array', [EVENT]],
  ['a number', 5],
])('returns body_was_parsed with a fix for %s', async (_, body) => {
  const result = await verify({ body: body as unknown as string });
  expect(result).toMatchObject({ reason: 'body_was_parsed', hint: expect.stringContaining('express.raw') });
});

test.each([[undefined], [null]])('returns missing_body for %s', async (body) => {
  expect(await reasonOf({ body: body as unknown as string })).toBe('missing_body');
});

test.each([
  ['is empty', ''],
  ['is no JSON', '{'],
  ['is no object', '[]'],
  ['is null', 'null'],
  ['starts with a byte order mark', `\uFEFF${BODY}`],
  ['has no id', JSON.stringify({ ...EVENT, id: undefined })],
  ['has a type that is no text', JSON.stringify({ ...EVENT, type: 1 })],
  ['has no version', JSON.stringify({ ...EVENT, apiVersion: undefined })],
  ['has no data', JSON.stringify({ ...EVENT, data: null })],
  ['lacks a field of its type', JSON.stringify({ ...EVENT, data: { ...EVENT.data, title: undefined } })],
])('returns malformed_body for a signed body that %s', async (_, body) => {
  expect(await reasonOf({}, body)).toBe('malformed_body');
});

test('returns unsupported_version for a signed body of another version', async () => {
  expect(await reasonOf({}, JSON.stringify({ ...EVENT, apiVersion: 'v2' }))).toBe('unsupported_version');
});

test('does not parse an unsigned body', async () => {
  expect(await reasonOf({ body: '{' })).toBe('no_matching_signature');
});

test('narrows an event by its type, also unknown ones', async () => {
  const result = await verify();
  if (!result.ok) throw new Error(result.hint);
  expectTypeOf(result.event).toEqualTypeOf<PartnerEvent>();
  expect(describeEvent(result.event)).toBe('opened Köchin 👩‍🍳');
  const later = JSON.stringify({ ...EVENT, type: 'job.paused', data: { until: 'later' } });
  const unknown = await verify({}, later);
  if (!unknown.ok) throw new Error(unknown.hint);
  expect(describeEvent(unknown.event)).toBe('job.paused later');
});

function describeEvent(event: PartnerEvent): string {
  if (event.type === 'job.opened') return `opened ${event.data.title}`;
  switch (event.type) {
    case 'application.status_changed':
      expectTypeOf(event.data.newStatus).toEqualTypeOf<Open<'accepted' | 'rejected'>>();
      expectTypeOf(event.data.sourceApplicationId).toEqualTypeOf<string | null>();
      return event.data.newStatus;
    case 'job.closed':
      return event.data.reason;
    default:
      expectTypeOf(event.data).toEqualTypeOf<Readonly<Record<string, unknown>>>();
      return `${event.type} ${event.data.until}`;
  }
}
