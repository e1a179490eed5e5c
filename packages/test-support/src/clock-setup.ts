import { afterAll, expect } from 'vitest';

/** The globals that a fake clock replaces, and later files of the process need restored. */
const CLOCK = ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'] as const;

const found = CLOCK.map((name) => globalThis[name]);

// A spy on a fake timer restores the fake after the real clock is back. Later files would then hang.
afterAll(() => {
  const left = CLOCK.filter((name, index) => globalThis[name] !== found[index]);
  expect(left, 'are not what they were before this file').toEqual([]);
});
