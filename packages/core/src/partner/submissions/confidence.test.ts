import { expect, it } from 'vitest';
import { createConfidence } from './confidence.js';

/** How many plain ones in a row it takes until it is given. */
function plainUntilGiven(confidence: ReturnType<typeof createConfidence>): number {
  let count = 0;
  for (; !confidence.isGiven(); count += 1) confidence.note(true);
  return count;
}

it('is given until it is disappointed, and then takes twice as long to come back each time', () => {
  const confidence = createConfidence();
  confidence.note(true);
  expect(confidence.isGiven()).toBe(true);
  const waits = Array.from({ length: 9 }, () => {
    confidence.note(false);
    return plainUntilGiven(confidence);
  });
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 64, 64]);
});

it('comes back sooner, the more often it was right', () => {
  const confidence = createConfidence();
  for (let times = 0; times < 5; times += 1) {
    confidence.note(false);
    plainUntilGiven(confidence);
  }
  for (let times = 0; times < 3; times += 1) confidence.note(true);
  confidence.note(false);
  expect(plainUntilGiven(confidence)).toBe(4);
  for (let times = 0; times < 99; times += 1) confidence.note(true);
  confidence.note(false);
  expect(plainUntilGiven(confidence)).toBe(1);
});

it('wants them in a row', () => {
  const confidence = createConfidence();
  for (let times = 0; times < 3; times += 1) {
    confidence.note(false);
    plainUntilGiven(confidence);
  }
  confidence.note(false);
  for (let times = 0; times < 7; times += 1) confidence.note(true);
  confidence.note(false);
  expect(plainUntilGiven(confidence)).toBe(8);
});
