import { expect, it } from 'vitest';
import { merge } from './merge.js';

const byNumber = (one: number, other: number) => one - other;

it('merging sorts the rows of all cells, and drops duplicates and those beyond the limit', () => {
  expect(merge([[1, 3], [1, 2], [3]], byNumber)).toEqual([1, 2, 3]);
  expect(merge([[1, 3], [2], [2]], byNumber, 2)).toEqual([1, 2]);
  expect(merge([[], []], byNumber)).toEqual([]);
});
