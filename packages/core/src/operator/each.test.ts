import { expect, test } from 'vitest';
import type { Page, PageOptions } from './page-cursor.js';
import { withEach } from './page-cursor.js';

interface Numbers {
  list(filter: PageOptions & { readonly from: number }): Promise<Page<number>>;
  each(filter: PageOptions & { readonly from: number }): AsyncIterable<number>;
  listOdds(page?: PageOptions): Promise<Page<number>>;
  eachOdd(page?: PageOptions): AsyncIterable<number>;
  listen(): Promise<void>;
}

/** Lists 0 to 5, two to a page. */
function opened() {
  const asked: unknown[] = [];
  const list = async (filter?: PageOptions): Promise<Page<number>> => {
    asked.push(filter);
    const start = Number(filter?.cursor ?? 0);
    return { items: [start, start + 1], nextCursor: start < 4 ? String(start + 2) : null };
  };
  const numbers = withEach<Numbers>({ list, listOdds: list, listen: async () => {} });
  return { numbers, asked };
}

test('reads all pages of a list in their order, with the same filter', async () => {
  const { numbers, asked } = opened();
  const rows: number[] = [];
  for await (const row of numbers.each({ from: 7, limit: 2 })) rows.push(row);
  expect(rows).toEqual([0, 1, 2, 3, 4, 5]);
  expect(asked).toEqual([
    { from: 7, limit: 2 },
    { from: 7, limit: 2, cursor: '2' },
    { from: 7, limit: 2, cursor: '4' },
  ]);
});

test('starts at the cursor of the filter', async () => {
  const { numbers } = opened();
  const rows: number[] = [];
  for await (const row of numbers.each({ from: 0, cursor: '4' })) rows.push(row);
  expect(rows).toEqual([4, 5]);
});

test('reads no page before its first row is asked for, and none after a break', async () => {
  const { numbers, asked } = opened();
  const rows = numbers.eachOdd();
  expect(asked).toHaveLength(0);
  for await (const row of rows) if (row === 1) break;
  expect(asked).toEqual([undefined]);
});

test('adds no iterator for a command that only starts like a list', () => {
  expect(Object.keys(opened().numbers)).toEqual(['list', 'listOdds', 'listen', 'each', 'eachOdd']);
});
