import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createSigner,
  createSigningSecret,
  SIGNATURE_HEADER,
  SIGNATURE_TOLERANCE_SECONDS,
  signatureHeaders,
  TIMESTAMP_HEADER,
} from './signature.js';

const AT = 1_750_000_000_999;

test('the headers are X-Partner-Signature and X-Partner-Timestamp, in whole Unix seconds', () => {
  expect([SIGNATURE_HEADER, TIMESTAMP_HEADER]).toEqual(['X-Partner-Signature', 'X-Partner-Timestamp']);
  const digest = createSigner('whsec_a')(1_750_000_000, '{}');
  expect(signatureHeaders([createSigner('whsec_a')], AT, '{}')).toEqual({
    'X-Partner-Signature': `t=1750000000,v1=${digest}`,
    'X-Partner-Timestamp': '1750000000',
  });
});

test('the digest is HMAC-SHA256 over t, a dot and the body, in lowercase hex, as OpenSSL computes it', () => {
  // printf '%s' '1750000000.{"id":"evt_1"}' | openssl dgst -sha256 -hmac whsec_test
  expect(createSigner('whsec_test')(1_750_000_000, '{"id":"evt_1"}')).toBe(
    '614e14c11eb4e0a265ab8b2ca3524056258febe246bf29101598d9acc32ea423',
  );
});

test('the digest equals createHmac for any secret and body', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ minLength: 40, maxLength: 90, size: 'max' }),
  );
  fc.assert(
    fc.property(texts, texts, (secret, body) => {
      const expected = createHmac('sha256', Buffer.from(secret)).update(`7.${body}`).digest('hex');
      expect(createSigner(secret)(7, body)).toBe(expected);
    }),
  );
});

test('during a rotation both secrets sign, one v1 entry each, the new one first', () => {
  const [next, old] = ['whsec_new', 'whsec_old'].map((secret) => createSigner(secret)(1_750_000_000, '{}'));
  expect(
    signatureHeaders(['whsec_new', 'whsec_old'].map(createSigner), AT, '{}')['X-Partner-Signature'],
  ).toBe(`t=1750000000,v1=${next},v1=${old}`);
});

test('a signing secret is whsec_ and 32 bytes in base64url', () => {
  expect(createSigningSecret(new Uint8Array(32).fill(255))).toBe(`whsec_${'_'.repeat(42)}8`);
});

test('receivers allow a clock difference of 300 seconds', () => {
  expect(SIGNATURE_TOLERANCE_SECONDS).toBe(300);
});
