import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toIso } from './time.js';

test('toIso equals Date, in any order of instants, before 1970 and after the year 9999', () => {
  const near = fc.integer({ min: 1_750_000_000_000, max: 1_750_000_200_000 });
  const far = fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 });
  fc.assert(
    fc.property(fc.array(fc.oneof(near, near, far)), (instants) => {
      for (const at of instants) expect(toIso(at)).toBe(new Date(at).toISOString());
    }),
  );
});
