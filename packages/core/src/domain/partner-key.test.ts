import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createSecret,
  describeSecret,
  hashSecret,
  isLastUsedStale,
  isOverlapAllowed,
  isSecretUsable,
  isWellFormedSecret,
} from './partner-key.js';

const DAY = 86_400_000;
const random = fc.uint8Array({ minLength: 32, maxLength: 32 });
const worlds = fc.constantFrom('production', 'sandbox');
const SECRET = createSecret('production', new Uint8Array(32).fill(7));

describe('a key secret', () => {
  test.each([
    ['production', 'pek_live_'],
    ['sandbox', 'pek_test_'],
  ] as const)('of %s starts with %s', (environment, prefix) => {
    const secret = createSecret(environment, new Uint8Array(32));
    expect(secret.startsWith(prefix)).toBe(true);
    expect(describeSecret('key_1', environment, secret, 0).prefix).toBe(prefix);
  });

  test('is well formed as it was made, carries its 256 bits, and goes into a header as it is', () => {
    fc.assert(
      fc.property(worlds, random, (environment, bytes) => {
        const secret = createSecret(environment, bytes);
        expect(isWellFormedSecret(secret)).toBe(true);
        expect(secret).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(Buffer.from(secret.slice(9, 52), 'base64url')).toEqual(Buffer.from(bytes));
      }),
    );
  });

  test('with a typing error in any character is malformed', () => {
    fc.assert(
      fc.property(
        worlds,
        random,
        fc.nat(57),
        fc.string({ minLength: 1, maxLength: 1 }),
        (environment, bytes, at, typo) => {
          const secret = createSecret(environment, bytes);
          const mistyped = secret.slice(0, at) + typo + secret.slice(at + 1);
          expect(isWellFormedSecret(mistyped)).toBe(mistyped === secret);
        },
      ),
    );
  });

  test.each([
    '',
    'pek_live_',
    SECRET.slice(0, -1),
    `${SECRET}x`,
    `${SECRET}\n`,
    ` ${SECRET}`,
    SECRET.replace('live', 'test'),
    SECRET.replace('pek_', 'sk_'),
    SECRET.toUpperCase(),
  ])('%j is malformed', (text) => {
    expect(isWellFormedSecret(text)).toBe(false);
  });

  test('is stored only as its SHA-256 and its last four characters', () => {
    const stored = describeSecret('key_1', 'production', SECRET, 5);
    expect(stored).toEqual({
      keyId: 'key_1',
      hash: hashSecret(SECRET),
      prefix: 'pek_live_',
      lastFour: SECRET.slice(-4),
      createdAt: 5,
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: null,
    });
    expect(stored.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('whether a secret is usable', () => {
  test.each([
    ['while it is the current one', null, null, true],
    ['until its overlap ends', 1_001, null, true],
    ['not from the end of its overlap on', 1_000, null, false],
    ['not once it is revoked, however far in the future that was noted', null, 9_999, false],
    ['not once it is revoked, also during its overlap', 2_000, 999, false],
  ])('%s', (_, expiresAt, revokedAt, expected) => {
    expect(isSecretUsable({ expiresAt, revokedAt }, 1_000)).toBe(expected);
  });
});

test.each([
  [0, true],
  [DAY, true],
  [7 * DAY, true],
  [7 * DAY + 1, false],
  [-1, false],
  [Number.NaN, false],
  [Number.POSITIVE_INFINITY, false],
])('an overlap of %d ms is allowed: %s', (overlap, expected) => {
  expect(isOverlapAllowed(overlap)).toBe(expected);
});

test('the last use is written at most once a minute', () => {
  expect(isLastUsedStale(null, 0)).toBe(true);
  expect(isLastUsedStale(1_000, 60_999)).toBe(false);
  expect(isLastUsedStale(1_000, 61_000)).toBe(true);
});
