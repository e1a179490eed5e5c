import { expect, it } from 'vitest';
import { countText, durationText } from './parts.js';

it.each([
  [null, '–'],
  [0, 'under a second'],
  [1_000, '1 second'],
  [119_000, '1 minute'],
  [7_200_000, '2 hours'],
  [86_400_000 * 3, '3 days'],
])('%j milliseconds are %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

it('marks counts that stopped', () => {
  expect([countText(1_234), countText(10_000, false)]).toEqual(['1,234', '10,000+']);
});
