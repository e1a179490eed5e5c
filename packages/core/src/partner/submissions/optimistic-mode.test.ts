import { expect, it } from 'vitest';
import { createOptimisticMode } from './optimistic-mode.js';

/** How many plain ones in a row it takes until it is given. */
function plainUntilGiven(optimisticMode: ReturnType<typeof createOptimisticMode>): number {
  let count = 0;
  for (; !optimisticMode.isOn(); count += 1) optimisticMode.note(true);
  return count;
}

it('is given until it is disappointed, and then takes twice as long to come back each time', () => {
  const optimisticMode = createOptimisticMode();
  optimisticMode.note(true);
  expect(optimisticMode.isOn()).toBe(true);
  const waits = Array.from({ length: 9 }, () => {
    optimisticMode.note(false);
    return plainUntilGiven(optimisticMode);
  });
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 64, 64]);
});

it('comes back sooner, the more often it was right', () => {
  const optimisticMode = createOptimisticMode();
  for (let times = 0; times < 5; times += 1) {
    optimisticMode.note(false);
    plainUntilGiven(optimisticMode);
  }
  for (let times = 0; times < 3; times += 1) optimisticMode.note(true);
  optimisticMode.note(false);
  expect(plainUntilGiven(optimisticMode)).toBe(4);
  for (let times = 0; times < 99; times += 1) optimisticMode.note(true);
  optimisticMode.note(false);
  expect(plainUntilGiven(optimisticMode)).toBe(1);
});

it('wants them in a row', () => {
  const optimisticMode = createOptimisticMode();
  for (let times = 0; times < 3; times += 1) {
    optimisticMode.note(false);
    plainUntilGiven(optimisticMode);
  }
  optimisticMode.note(false);
  for (let times = 0; times < 7; times += 1) optimisticMode.note(true);
  optimisticMode.note(false);
  expect(plainUntilGiven(optimisticMode)).toBe(8);
});
