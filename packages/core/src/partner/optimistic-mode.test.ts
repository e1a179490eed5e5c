import { expect, it } from 'vitest';
import { createOptimisticMode } from './optimistic-mode.js';

function newUntilOn(optimisticMode: ReturnType<typeof createOptimisticMode>): number {
  let count = 0;
  for (; !optimisticMode.isOn(); count += 1) optimisticMode.note(true);
  return count;
}

it('turns off at the first repetition, and needs twice as many new batches each time to turn on', () => {
  const optimisticMode = createOptimisticMode();
  optimisticMode.note(true);
  expect(optimisticMode.isOn()).toBe(true);
  const waits = Array.from({ length: 9 }, () => {
    optimisticMode.note(false);
    return newUntilOn(optimisticMode);
  });
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 64, 64]);
});

it('needs fewer new batches after each success', () => {
  const optimisticMode = createOptimisticMode();
  for (let times = 0; times < 5; times += 1) {
    optimisticMode.note(false);
    newUntilOn(optimisticMode);
  }
  for (let times = 0; times < 3; times += 1) optimisticMode.note(true);
  optimisticMode.note(false);
  expect(newUntilOn(optimisticMode)).toBe(4);
  for (let times = 0; times < 99; times += 1) optimisticMode.note(true);
  optimisticMode.note(false);
  expect(newUntilOn(optimisticMode)).toBe(1);
});

it('counts only new batches in a row', () => {
  const optimisticMode = createOptimisticMode();
  for (let times = 0; times < 3; times += 1) {
    optimisticMode.note(false);
    newUntilOn(optimisticMode);
  }
  optimisticMode.note(false);
  for (let times = 0; times < 7; times += 1) optimisticMode.note(true);
  optimisticMode.note(false);
  expect(newUntilOn(optimisticMode)).toBe(8);
});
