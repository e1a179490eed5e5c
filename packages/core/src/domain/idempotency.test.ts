import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decideReplay,
  fingerprintBytes,
  fingerprintJson,
  IDEMPOTENCY_TTL_MS,
  type IdempotencyRecord,
  readIdempotencyKey,
} from './idempotency.js';

const KEY = '0b9a3c1e-8c5d-4f6a-9b2e-1a2b3c4d5e6f';
const BODY = '{"a":1,"b":[2,3]}';
const HOUR = 3_600_000;

const record: IdempotencyRecord = {
  keyId: 'key_1',
  idempotencyKey: KEY,
  fingerprint: fingerprintBytes(Buffer.from(BODY)),
  jsonFingerprint: fingerprintJson(JSON.parse(BODY)),
  applicationId: 'ej_app_1',
  companyId: 'co_1',
  reply: { status: 201, body: '{}' },
  createdAt: 1_000,
  expiresAt: 1_000 + IDEMPOTENCY_TTL_MS,
};

function replay(body: string, now = 1_000, of: IdempotencyRecord | null = record) {
  const fingerprint = fingerprintBytes(Buffer.from(body));
  return decideReplay(of, { fingerprint, jsonFingerprint: jsonFingerprintOf(body) }, now);
}

function jsonFingerprintOf(body: string): string {
  try {
    return fingerprintJson(JSON.parse(body));
  } catch {
    return '';
  }
}

describe('the Idempotency-Key header', () => {
  test('is a UUID v4 in any letter case, compared in lower case', () => {
    expect(readIdempotencyKey([KEY])).toEqual({ kind: 'key', key: KEY });
    expect(readIdempotencyKey([KEY.toUpperCase()])).toEqual({ kind: 'key', key: KEY });
    expect(readIdempotencyKey([` ${KEY} `])).toEqual({ kind: 'key', key: KEY });
  });

  test('is the same key with one pair of double quotes around it, as the IETF draft writes it', () => {
    for (const value of [`"${KEY}"`, `"${KEY.toUpperCase()}"`, ` \t"${KEY}" `]) {
      expect([value, readIdempotencyKey([value])]).toEqual([value, { kind: 'key', key: KEY }]);
    }
  });

  test('is trimmed in linear time, or this test times out', () => {
    expect(readIdempotencyKey([`x${' \t'.repeat(50_000)}x`]).kind).toBe('malformed');
  });

  test('accepts every UUID v4, and no other version', () => {
    fc.assert(
      fc.property(fc.uuid({ version: 4 }), (uuid) => {
        expect(readIdempotencyKey([uuid])).toEqual({ kind: 'key', key: uuid });
      }),
    );
    fc.assert(
      fc.property(fc.uuid({ version: [1, 2, 3, 5, 6, 7, 8] }), (uuid) => {
        expect(readIdempotencyKey([uuid]).kind).toBe('malformed');
      }),
    );
  });

  test.each([[[]], [['']], [['   ']], [['""']], [[' "" ']]])('%j is missing', (values) => {
    expect(readIdempotencyKey(values)).toEqual({ kind: 'missing' });
  });

  test.each([
    [['abc']],
    [['00000000-0000-0000-0000-000000000000']],
    [[`{${KEY}}`]],
    [[KEY.replaceAll('-', '')]],
    [[KEY.replace('-9b2e', '-cb2e')]],
    [[`${KEY},${KEY}`]],
    [[`${KEY}\u00a0`]],
  ])('%j is malformed: no UUID v4', (values) => {
    expect(readIdempotencyKey(values)).toEqual({ kind: 'malformed', problem: 'no_uuid_v4' });
  });

  test.each([[[KEY, KEY]], [['', '']], [[`"${KEY}"`, `"${KEY}"`]]])('%j is malformed: repeated', (values) => {
    expect(readIdempotencyKey(values)).toEqual({ kind: 'malformed', problem: 'repeated' });
  });

  test.each([
    `"${KEY}`,
    `${KEY}"`,
    `" ${KEY}"`,
    `"${KEY}\t"`,
    '" "',
    '"',
    '"""',
    `""${KEY}""`,
    `"${KEY}";v=1`,
    `"${KEY}","${KEY}"`,
    '"order-17"',
  ])('%j is malformed: quotes', (value) => {
    expect(readIdempotencyKey([value])).toEqual({ kind: 'malformed', problem: 'quotes' });
  });

  test.each([`'${KEY}'`, `“${KEY}”`, `\`${KEY}\``])('%j has quotes of another kind: malformed', (value) => {
    expect(readIdempotencyKey([value])).toEqual({ kind: 'malformed', problem: 'no_uuid_v4' });
  });
});

describe('idempotency rules', () => {
  test('let the same key and byte-identical body replay the original (contract 7.3)', () => {
    expect(replay(BODY)).toEqual({ kind: 'replay', record });
  });

  test('say that a body that differs in any byte is a reuse (contract 7.4)', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (body, at, mask) => {
          const other = Uint8Array.from(body);
          const index = at % other.length;
          other[index] = (other[index] ?? 0) ^ mask;
          const bound = { ...record, fingerprint: fingerprintBytes(body) };
          const request = (bytes: Uint8Array) => ({
            fingerprint: fingerprintBytes(bytes),
            jsonFingerprint: '',
          });
          expect(decideReplay(bound, request(body), 1_000).kind).toBe('replay');
          expect(decideReplay(bound, request(other), 1_000).kind).toBe('reused');
        },
      ),
    );
  });

  test.each([
    ['{"b":[2,3],"a":1}', true],
    ['{ "a": 1, "b": [2, 3] }', true],
    [`${BODY}\n`, true],
    ['{"a":1.0,"b":[2,3]}', true],
    ['{"a":1,"b":[3,2]}', false],
    ['{"a":"1","b":[2,3]}', false],
    ['no json', false],
  ])('say that %j is a reuse, and whether it is the same JSON: %s (contract 7.4)', (body, sameJson) => {
    expect(replay(body)).toEqual({ kind: 'reused', record, sameJson });
  });

  test('let a key expire exactly 24 hours after its use (contract 7.5)', () => {
    expect(IDEMPOTENCY_TTL_MS).toBe(24 * HOUR);
    expect(replay(BODY, 1_000 + 24 * HOUR - 1).kind).toBe('replay');
    expect(replay(BODY, 1_000 + 24 * HOUR).kind).toBe('free');
    expect(replay('other', 1_000 + 24 * HOUR).kind).toBe('free');
  });

  test('an unbound key is free', () => {
    expect(replay(BODY, 0, null)).toEqual({ kind: 'free' });
  });
});
