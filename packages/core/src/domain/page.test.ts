import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  clampLimit,
  decodeCursor,
  encodeCursor,
  type ListFilters,
  startsAfter,
  updatedThrough,
} from './page.js';

const FILTERS: ListFilters & { keyId: `key_${string}` } = {
  keyId: 'key_1',
  updatedSince: null,
  companyId: null,
  status: null,
};

describe('page size', () => {
  test.each([
    [null, 50],
    [1, 1],
    [50, 50],
    [200, 200],
    [201, 200],
    [Number.MAX_SAFE_INTEGER, 200],
    [Number.POSITIVE_INFINITY, 200],
  ])('limit %s gives %i', (limit, expected) => {
    expect(clampLimit(limit)).toBe(expected);
  });
});

describe('a cursor', () => {
  const filters = fc.record({
    keyId: fc.string().map((rest): `key_${string}` => `key_${rest}`),
    updatedSince: fc.option(fc.nat()),
    companyId: fc.option(fc.string({ unit: 'binary' })),
    status: fc.constantFrom(null, 'open', 'received', 'rejected'),
  });
  const lists = fc.constantFrom('jobs', 'applications');

  test('decodes to its stamp with the same filters', () => {
    fc.assert(
      fc.property(lists, filters, fc.nat({ max: Number.MAX_SAFE_INTEGER }), (list, query, after) => {
        expect(decodeCursor(list, query, encodeCursor(list, query, after))).toBe(after);
      }),
    );
  });

  test('always has 32 characters that are safe in a URL', () => {
    fc.assert(
      fc.property(lists, filters, fc.nat(), (list, query, after) => {
        expect(encodeCursor(list, query, after)).toMatch(/^[A-Za-z0-9_-]{32}$/);
      }),
    );
  });

  test('contains a version, the stamp and a hash, and nothing else (decision 18)', () => {
    fc.assert(
      fc.property(lists, filters, fc.nat({ max: Number.MAX_SAFE_INTEGER }), (list, query, after) => {
        const bytes = Buffer.from(encodeCursor(list, query, after), 'base64url');
        const { keyId, updatedSince, companyId, status } = query;
        const binding = JSON.stringify([list, keyId, updatedSince, companyId, status]);
        const sha256 = createHash('sha256').update(binding).digest();
        expect(bytes[0]).toBe(2);
        expect(bytes.readBigUInt64BE(1)).toBe(BigInt(after));
        expect(bytes.subarray(9)).toEqual(sha256.subarray(0, 15));
      }),
    );
  });

  test('has different hashes for different bindings', () => {
    fc.assert(
      fc.property(lists, filters, lists, filters, (list, query, otherList, other) => {
        const isSame = list === otherList && JSON.stringify(query) === JSON.stringify(other);
        const after = decodeCursor(otherList, other, encodeCursor(list, query, 5));
        expect(after).toBe(isSame ? 5 : null);
      }),
    );
  });

  test.each([
    ['another key', { keyId: 'key_2' }],
    ['another updated_since', { updatedSince: 1 }],
    ['another company', { companyId: 'co_1' }],
    ['another status', { status: 'open' }],
  ] as const)('of %s is rejected', (_, change) => {
    const cursor = encodeCursor('applications', FILTERS, 5);
    expect(decodeCursor('applications', { ...FILTERS, ...change }, cursor)).toBeNull();
  });

  test('of the other list is rejected', () => {
    expect(decodeCursor('jobs', FILTERS, encodeCursor('applications', FILTERS, 5))).toBeNull();
  });

  test('is not bound to the page size', () => {
    const ofTen = { ...FILTERS, limit: 10 };
    const ofTwenty = { ...FILTERS, limit: 20 };
    expect(decodeCursor('jobs', ofTwenty, encodeCursor('jobs', ofTen, 5))).toBe(5);
  });

  test('with a flipped bit in its version or hash is rejected', () => {
    fc.assert(
      fc.property(lists, filters, fc.nat(), fc.nat(127), (list, query, after, bit) => {
        const bytes = Buffer.from(encodeCursor(list, query, after), 'base64url');
        const at = bit < 8 ? 0 : 8 + Math.floor(bit / 8);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8));
        expect(decodeCursor(list, query, bytes.toString('base64url'))).toBeNull();
      }),
      { numRuns: 1_000 },
    );
  });

  test('with a changed stamp is the cursor of that stamp, or rejected', () => {
    fc.assert(
      fc.property(lists, filters, fc.uint8Array({ minLength: 8, maxLength: 8 }), (list, query, stamp) => {
        const bytes = Buffer.from(encodeCursor(list, query, 5), 'base64url');
        bytes.set(stamp, 1);
        const forged = Number(bytes.readBigUInt64BE(1));
        const after = decodeCursor(list, query, bytes.toString('base64url'));
        expect(after).toBe(Number.isSafeInteger(forged) ? forged : null);
      }),
    );
  });

  test('that was changed in any character is refused, or is another one of the same list', () => {
    const cursor = encodeCursor('jobs', FILTERS, 1_750_000_000_000);
    fc.assert(
      fc.property(fc.nat(cursor.length - 1), fc.string({ minLength: 1, maxLength: 2 }), (at, piece) => {
        const changed = cursor.slice(0, at) + piece + cursor.slice(at + 1);
        const after = decodeCursor('jobs', FILTERS, changed);
        if (after !== null) expect(encodeCursor('jobs', FILTERS, after)).toBe(changed);
      }),
      { numRuns: 1_000 },
    );
  });

  const genuine = encodeCursor('jobs', FILTERS, 5);
  test.each([
    ['empty', ''],
    ['not base64url', '!!!'],
    ['32 characters of other alphabets', '!'.repeat(32)],
    ['padded', `${genuine}=`],
    ['followed by a character that decoders skip', `${genuine}\n`],
    ['too short', genuine.slice(0, -1)],
    ['too long', `${genuine}A`],
    ['twice as long', genuine + genuine],
    ['endless', 'A'.repeat(100_000)],
    ['of version 1', Buffer.from('[1,"jobs","key_1",null,null,null,5]').toString('base64url')],
    ['of version 1, and as long', Buffer.from('[1,"jobs","k",null,null]').toString('base64url')],
  ])('that is %s is rejected', (_, cursor) => {
    expect(decodeCursor('jobs', FILTERS, cursor)).toBeNull();
  });

  test('in the other base64 alphabet is rejected', () => {
    const odd = Array.from({ length: 100 }, (_, after) => encodeCursor('jobs', FILTERS, after)).filter(
      (cursor) => /[-_]/.test(cursor),
    );
    expect(odd).not.toEqual([]);
    for (const cursor of odd) {
      const other = cursor.replaceAll('-', '+').replaceAll('_', '/');
      expect(decodeCursor('jobs', FILTERS, other)).toBeNull();
    }
  });
});

test.each([
  [null, null, -1],
  [null, 5, 5],
  [7, null, 7],
  [7, 5, 7],
  [5, 7, 7],
  [0, null, 0],
])('after the cursor %s and updated_since %s a page starts after %i', (after, updatedSince, expected) => {
  expect(startsAfter({ after, updatedSince })).toBe(expected);
});

test('a page is complete through its last row, and the last page through the head of the feed', () => {
  const rows = [{ at: 3 }, { at: 5 }];
  const at = (row: { at: number }) => row.at;
  expect(updatedThrough({ rows, hasMore: true, head: 9 }, at)).toBe(5);
  expect(updatedThrough({ rows, hasMore: false, head: 9 }, at)).toBe(9);
  expect(updatedThrough({ rows: [], hasMore: false, head: 9 }, at)).toBe(9);
});
