import { afterAll, expect } from 'vitest';

/** What a story's clock takes the place of, and what a file that follows in the same process needs as it was. */
const CLOCK = ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'] as const;

const found = CLOCK.map((name) => globalThis[name]);

// A spy on a timer that is faked gives the fake back after the clock is real again: it stands for good, and whatever
// waits for it in a file that follows waits for ever.
afterAll(() => {
  const left = CLOCK.filter((name, index) => globalThis[name] !== found[index]);
  expect(left, 'are not what they were before this file').toEqual([]);
});
