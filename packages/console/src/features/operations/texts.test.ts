import { expect, it } from 'vitest';
import { percentOf, progressText } from './texts.js';

it.each([
  [{ done: 1_200, skipped: 0, total: 40_000 }, '1,200 of 40,000 (3 %)'],
  [{ done: 1_200, skipped: 300, total: null }, '1,500'],
  [{ done: 0, skipped: 0, total: 0 }, 'begins'],
  [{ done: 12, skipped: 0, total: 10 }, '12 of 10 (100 %)'],
])('writes the progress of %j', (counts, text) => {
  expect(progressText({ state: 'running', counts })).toBe(text);
});

it('does not write a held operation as 0 of 0', () => {
  const counts = { done: 0, skipped: 0, total: 0 };
  expect(progressText({ state: 'held', counts })).toBe('nothing done');
  expect(progressText({ state: 'done', counts })).toBe('nothing to do');
});

it('is complete only when the operation is done', () => {
  expect(percentOf({ state: 'running', counts: { done: 999, skipped: 0, total: 1_000 } })).toBe(99);
  expect(percentOf({ state: 'done', counts: { done: 999, skipped: 0, total: null } })).toBe(100);
});
