import { isUtf8 } from 'node:buffer';
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import Stripe from 'stripe';
import { expect, test, vi } from 'vitest';
import { hmac } from './hmac.js';
import { hmac as nodeHmac } from './hmac.node.js';
import { signWebhook, verifyWebhook } from './index.js';
import { isEqual } from './signatures.js';

const T = 1_750_000_000;
const SECRET = 'whsec_test';
const BODY = '{"id":"evt_1"}';
const bodies = fc.uint8Array({ maxLength: 400, size: 'max' });
const texts = fc.string({ unit: 'binary', maxLength: 200, size: 'max' });

/** Events of an unknown type with any text. */
const events = texts.map((note) =>
  JSON.stringify({ id: 'evt_1', type: 'test', createdAt: '', apiVersion: 'v1', data: { note } }),
);

test('signs with HMAC-SHA256 over t, a dot and the body, like OpenSSL', async () => {
  // printf '%s' '1750000000.{"id":"evt_1"}' | openssl dgst -sha256 -hmac whsec_test
  const headers = await signWebhook({ body: '{"id":"evt_1"}', secret: SECRET, timestamp: T });
  expect(headers).toEqual({
    'X-Partner-Signature': 't=1750000000,v1=614e14c11eb4e0a265ab8b2ca3524056258febe246bf29101598d9acc32ea423',
    'X-Partner-Timestamp': '1750000000',
  });
});

const secrets = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1 }),
  // HMAC hashes keys that are longer than a block of 64 bytes.
  fc.string({ unit: 'grapheme-ascii', minLength: 55, maxLength: 140, size: 'max' }),
);

test.each([
  ['by WebCrypto', hmac],
  ['by hashes of Node', nodeHmac],
])('computes the digest of node:crypto %s', async (_, digest) => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(texts, fc.string({ unit: 'binary', maxLength: 5_000 })),
      secrets,
      async (text, secret) => {
        const expected = createHmac('sha256', secret).update(text).digest('hex');
        expect(await digest(secret, text)).toBe(expected);
      },
    ),
    { numRuns: 500 },
  );
});

test('signs synchronously on Node, and separates secrets', async () => {
  const sign = (secret: string) => [
    nodeHmac(secret, BODY),
    createHmac('sha256', secret).update(BODY).digest('hex'),
  ];
  for (let round = 0; round < 2; round += 1) {
    for (let index = 0; index < 150; index += 1) {
      const [digest, expected] = sign(`whsec_${index}`);
      expect(digest).toBe(expected);
    }
  }
});

test('falls back to WebCrypto on a Node without crypto.hash', async () => {
  vi.stubGlobal('process', { ...process, getBuiltinModule: undefined });
  const digest = nodeHmac('whsec_without_hash', BODY);
  vi.unstubAllGlobals();
  expect(digest).toBeInstanceOf(Promise);
  expect(await digest).toBe(createHmac('sha256', 'whsec_without_hash').update(BODY).digest('hex'));
});

test('signs bytes like their text', async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.nat(), async (text, timestamp) => {
      const body = new TextEncoder().encode(text);
      const expected = createHmac('sha256', SECRET).update(`${timestamp}.`).update(body).digest('hex');
      const signed = await signWebhook({ body, secret: SECRET, timestamp });
      expect(signed['X-Partner-Signature']).toBe(`t=${timestamp},v1=${expected}`);
    }),
  );
});

test('rejects bytes that are not UTF-8', async () => {
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const signed = signWebhook({ body, secret: SECRET });
      await (isUtf8(body) ? signed : expect(signed).rejects.toThrow(TypeError));
    }),
  );
});

test.each([Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY])(
  'a timestamp of %s is refused',
  async (timestamp) => {
    await expect(signWebhook({ body: '', secret: SECRET, timestamp })).rejects.toThrow(TypeError);
  },
);

test('rejects a parsed body', async () => {
  await expect(signWebhook({ body: {} as string, secret: SECRET })).rejects.toThrow(TypeError);
});

test('any changed byte of body, signature header or timestamp is refused', async () => {
  await fc.assert(
    fc.asyncProperty(
      events,
      fc.constantFrom('body', 'X-Partner-Signature', 'X-Partner-Timestamp'),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      async (text, part, position, mask) => {
        const body = Buffer.from(text);
        const headers: Record<string, string> = {
          ...(await signWebhook({ body, secret: SECRET, timestamp: T })),
        };
        const check = { secret: SECRET, now: T * 1000 };
        expect(await verifyWebhook({ body, headers, ...check })).toMatchObject({ ok: true });

        const bytes = part === 'body' ? body : Buffer.from(headers[part] ?? '');
        const at = position % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ mask;
        if (part !== 'body') headers[part] = bytes.toString('latin1');
        expect(await verifyWebhook({ body, headers, ...check })).toMatchObject({ ok: false });
      },
    ),
    { numRuns: 500 },
  );
});

test('returns a value for any headers', async () => {
  await fc.assert(
    fc.asyncProperty(texts, texts, async (signature, timestamp) => {
      const headers = { 'x-partner-signature': `t=${signature}`, 'x-partner-timestamp': timestamp };
      const result = await verifyWebhook({ body: '{}', headers, secret: SECRET });
      expect(result.ok).toBe(false);
    }),
  );
});

test('compares every character of a digest', () => {
  const hex = fc.string({
    unit: fc.constantFrom(...'0123456789abcdef'),
    minLength: 64,
    maxLength: 64,
  });
  fc.assert(
    fc.property(hex, hex, (left, right) => {
      expect(isEqual(left, right)).toBe(left === right);
      expect(isEqual(left, `${left}`)).toBe(true);
      expect(isEqual(left, left.slice(1))).toBe(false);
      expect(isEqual(left.slice(1), left)).toBe(false);
      const last = left.endsWith('0') ? '1' : '0';
      expect(isEqual(left, left.slice(0, -1) + last)).toBe(false);
    }),
  );
});

test("Stripe's library accepts what this one signs", async () => {
  await fc.assert(
    fc.asyncProperty(events, async (body) => {
      const headers = await signWebhook({ body, secret: SECRET });
      const event = Stripe.webhooks.constructEvent(body, headers['X-Partner-Signature'], SECRET);
      expect(event).toEqual(JSON.parse(body));
    }),
  );
});

test("this library accepts what Stripe's signs", async () => {
  await fc.assert(
    fc.asyncProperty(events, async (payload) => {
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET, timestamp: T });
      const headers = { 'X-Partner-Signature': signature, 'X-Partner-Timestamp': String(T) };
      const result = await verifyWebhook({ body: payload, headers, secret: SECRET, now: T * 1000 });
      expect(result).toEqual({ ok: true, event: JSON.parse(payload) });
    }),
  );
});
