import fc from 'fast-check';
import { expect, test } from 'vitest';
import { headAfter, nextStamps } from './feed.js';

test('a stamp is now, or the next millisecond after the head if the clock is behind', () => {
  expect(nextStamps(100, 500, { keyId: 'key_1', count: 1 }).first).toBe(500);
  expect(nextStamps(500, 500, { keyId: 'key_1', count: 1 }).first).toBe(501);
  expect(nextStamps(500, 100, { keyId: 'key_1', count: 1 }).first).toBe(501);
});

test('stamps are unique and strictly increasing for any clocks and counts', () => {
  const takings = fc.array(fc.tuple(fc.nat(10_000), fc.integer({ min: 1, max: 50 })), {
    maxLength: 100,
    size: 'max',
  });
  fc.assert(
    fc.property(takings, (steps) => {
      let head = 0;
      let last = 0;
      for (const [now, count] of steps) {
        const range = nextStamps(head, now, { keyId: 'key_1', count });
        expect(range.first).toBeGreaterThan(last);
        expect(range.first).toBeGreaterThanOrEqual(now);
        expect(range.count).toBe(count);
        last = range.first + count - 1;
        head = headAfter(range);
        expect(head).toBe(last);
      }
    }),
  );
});
