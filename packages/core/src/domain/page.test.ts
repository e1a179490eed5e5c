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

  test('comes back as the stamp it was made of, under the filters it was made for', () => {
    fc.assert(
      fc.property(lists, filters, fc.nat({ max: Number.MAX_SAFE_INTEGER }), (list, query, after) => {
        expect(decodeCursor(list, query, encodeCursor(list, query, after))).toBe(after);
      }),
    );
  });

  test('is safe in a URL as it is', () => {
    fc.assert(
      fc.property(filters, (query) => {
        expect(encodeCursor('jobs', query, 1)).toMatch(/^[A-Za-z0-9_-]+$/);
      }),
    );
  });

  test.each([
    ['another key', { keyId: 'key_2' }],
    ['another updated_since', { updatedSince: 1 }],
    ['another company', { companyId: 'co_1' }],
    ['another status', { status: 'open' }],
  ] as const)('of %s is refused', (_, change) => {
    const cursor = encodeCursor('applications', FILTERS, 5);
    expect(decodeCursor('applications', { ...FILTERS, ...change }, cursor)).toBeNull();
  });

  test('of the other list is refused', () => {
    expect(decodeCursor('jobs', FILTERS, encodeCursor('applications', FILTERS, 5))).toBeNull();
  });

  test('is not bound to the page size', () => {
    const cursor = encodeCursor('jobs', { ...FILTERS, ...{ limit: 10 } }, 5);
    expect(decodeCursor('jobs', { ...FILTERS, ...{ limit: 20 } }, cursor)).toBe(5);
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

  const encode = (text: string) => Buffer.from(text).toString('base64url');
  test.each([
    ['empty', ''],
    ['no base64url', '!!!'],
    ['padded', `${encodeCursor('jobs', FILTERS, 5)}=`],
    ['no JSON', encode('nope')],
    ['no list', encode('5')],
    ['an empty list', encode('[]')],
    ['deeply nested', encode('['.repeat(10_000))],
    ['of another version', encode('[0,"jobs","key_1",null,null,null,5]')],
    ['without a whole number', encode('[1,"jobs","key_1",null,null,null,5.5]')],
    ['with a number written otherwise', encode('[1,"jobs","key_1",null,null,null,5e0]')],
    ['with a negative zero', encode('[1,"jobs","key_1",null,null,null,-0]')],
    ['with a number beyond the exact ones', encode('[1,"jobs","key_1",null,null,null,1e300]')],
    ['with blanks', encode('[1, "jobs","key_1",null,null,null,5]')],
  ])('that is %s is refused', (_, cursor) => {
    expect(decodeCursor('jobs', FILTERS, cursor)).toBeNull();
  });
});

test.each([
  [null, null, -1],
  [null, 5, 5],
  [7, null, 7],
  [7, 5, 7],
  [5, 7, 7],
  [0, null, 0],
])('after the cursor %s and updated_since %s a page starts behind %i', (after, updatedSince, expected) => {
  expect(startsAfter({ after, updatedSince })).toBe(expected);
});

test('a reply is complete through its last row while rows follow, else through the head of the feed', () => {
  const rows = [{ at: 3 }, { at: 5 }];
  const at = (row: { at: number }) => row.at;
  expect(updatedThrough({ rows, hasMore: true, head: 9 }, at)).toBe(5);
  expect(updatedThrough({ rows, hasMore: false, head: 9 }, at)).toBe(9);
  expect(updatedThrough({ rows: [], hasMore: false, head: 9 }, at)).toBe(9);
});
