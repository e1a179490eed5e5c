import { expect, it } from 'vitest';
import type { JsonRows } from './dialect.js';
import { createHostSession, type Run } from './session.js';
import type { Statement } from './statement.js';

interface Item {
  readonly id: number;
}

interface Values {
  readonly rows: JsonRows<Item>;
}

const statementFor = (takesItem: boolean): Statement<Values, unknown> => ({
  sql: 'insert',
  bind: ({ rows }, item) => [takesItem ? item : rows],
  takesItem,
});

const items = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));

/** Runs a batch and records the bound values and what else ran in between. */
async function runBatch(takesItem: boolean, count: number) {
  const bound: (readonly (readonly unknown[])[])[] = [];
  const session = createHostSession(async (_, sets) => {
    bound.push(sets);
    return { rows: sets.map(() => ({})) };
  });
  let turns = 0;
  let isOver = false;
  const countTurn = () => {
    if (isOver) return;
    turns += 1;
    setImmediate(countTurn);
  };
  setImmediate(countTurn);
  const work = (run: Run) => run.batch(statementFor(takesItem), items(count), {});
  const { rows } = await session.write(work);
  isOver = true;
  return { bound, turns, rows: rows.length };
}

it.each([true, false])('runs no statement for an empty batch (one run per item: %s)', async (takesItem) => {
  expect(await runBatch(takesItem, 0)).toEqual({ bound: [], turns: 0, rows: 0 });
});

it.each([
  [1_000, [1_000], 0],
  [2_001, [1_000, 1_000, 1], 2],
])('runs %i items in parts, with other work in between', async (count, parts, turns) => {
  const done = await runBatch(true, count);
  expect(done.bound.map((sets) => sets.length)).toEqual(parts);
  expect(done.bound.flat(2)).toEqual(items(count));
  expect(done.rows).toBe(count);
  expect(done.turns).toBeGreaterThanOrEqual(turns);
});

it.each([
  [1_000, 0],
  [2_001, 2],
])('serializes %i items in parts as one text', async (count, turns) => {
  const { bound, turns: passed } = await runBatch(false, count);
  expect(bound.map(([set]) => JSON.parse(String(set?.[0])))).toEqual([items(count)]);
  expect(passed).toBeGreaterThanOrEqual(turns);
});
