import { expect, it } from 'vitest';
import { createSweepPosition, sweepFrom } from './sweep-position.js';

it('starts at the first row of the previous sweep, and deletes expired rows', async () => {
  const position = createSweepPosition(() => 5);
  const asked: number[] = [];
  const removed: unknown[] = [];
  const sweep = (found: readonly { readonly at: number }[]) =>
    sweepFrom(position, {
      find: async (from) => {
        asked.push(from);
        return found;
      },
      isOver: (at) => at <= 7,
      remove: async (from, limit) => removed.push({ from, limit }),
    });
  expect(await sweep([{ at: 3 }, { at: 7 }, { at: 8 }])).toBe(1);
  expect(await sweep([])).toBe(0);
  expect(await sweep([{ at: 8 }])).toBe(0);
  expect(await sweep([])).toBe(0);
  expect(asked).toEqual([0, 3, 3, 8]);
  expect(removed).toEqual([{ from: 3, limit: 2 }]);
});

it('resets the position every hour and when the clock is set back', () => {
  let now = 10_000_000;
  const position = createSweepPosition(() => now);
  position.at();
  position.moveTo(7);
  now += 3_599_999;
  expect(position.at()).toBe(7);
  now += 1;
  expect(position.at()).toBe(0);
  position.moveTo(8);
  now -= 1;
  expect(position.at()).toBe(0);
});
