import { expect, it } from 'vitest';
import { percentOf, progressText } from './texts.js';

it.each([
  [{ done: 1_200, skipped: 0, total: 40_000 }, '1,200 of 40,000 (3 %)'],
  [{ done: 1_200, skipped: 300, total: null }, '1,500'],
  [{ done: 0, skipped: 0, total: 0 }, 'begins'],
  [{ done: 12, skipped: 0, total: 10 }, '12 of 10 (100 %)'],
])('writes the progress of %j', (counts, text) => {
  expect(progressText({ state: 'running', counts, failed: null })).toBe(text);
});

it('counts what could not be changed as handled', () => {
  const counts = { done: 5, skipped: 1, total: 10 };
  const failed = { count: 2, first: [] };
  expect(progressText({ state: 'running', counts, failed })).toBe('8 of 10 (80 %)');
});

it('does not write a held operation as 0 of 0', () => {
  const counts = { done: 0, skipped: 0, total: 0 };
  expect(progressText({ state: 'held', counts, failed: null })).toBe('nothing done');
  expect(progressText({ state: 'done', counts, failed: null })).toBe('nothing to do');
});

it('is complete only when the operation is done', () => {
  expect(percentOf({ state: 'running', counts: { done: 999, skipped: 0, total: 1_000 }, failed: null })).toBe(
    99,
  );
  expect(percentOf({ state: 'done', counts: { done: 999, skipped: 0, total: null }, failed: null })).toBe(
    100,
  );
});
