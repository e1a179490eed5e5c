import type { Repositories } from '@partner-hiring/core/ports';
import type { Cells } from './cells.js';
import type { Locator } from './directory.js';
import { merge, type Order } from './merge.js';

/** A call of a repository's method on the storage. */
export interface Asked<Args extends readonly unknown[], Result> {
  readonly cells: Cells;
  /** The method, such as `keys.find`. */
  readonly name: string;
  /** Calls the method in one cell. */
  readonly call: (cell: Repositories, ...args: Args) => Promise<Result>;
}

/** Says which cells a method asks, and combines their results. */
export type CellRoute<Args extends readonly unknown[], Result> = (
  asked: Asked<Args, Result>,
  ...args: Args
) => Promise<Result>;

/** The routes of a repository's methods. */
export type RoutesOf<Repository> = {
  readonly [Name in keyof Repository]: Repository[Name] extends (...args: infer Args) => Promise<infer Result>
    ? CellRoute<Args, Result>
    : never;
};

/** The routes of all repositories. All methods of a repository of the `home` cell are routed there. */
export type Routes = {
  readonly [Name in keyof Repositories]: RoutesOf<Repositories[Name]> | 'home';
};

/** A batch, and further arguments. */
type Batch<Item, Rest extends readonly unknown[]> = With<readonly Item[], Rest>;

/** Returns the result of the home cell. */
export function home<Args extends readonly unknown[], Result>(
  { cells, call }: Asked<Args, Result>,
  ...args: Args
): Promise<Result> {
  return call(cells.home, ...args);
}

/** Calls all cells in one transaction. Returns the result of the home cell. */
export async function everyCell<Args extends readonly unknown[], Result>(
  { cells, call }: Asked<Args, Result>,
  ...args: Args
): Promise<Result> {
  const results = await cells.writeAll((cell) => call(cell, ...args));
  return first(results);
}

/** What identifies the rows, and further arguments. */
type With<First, Rest extends readonly unknown[]> = [first: First, ...rest: Rest];

/** Calls the cell of one row. By default, null and an empty list are misses. See {@link Cells.of}. */
export function of<First, Rest extends readonly unknown[], Result>(
  by: Locator,
  idOf: (first: NoInfer<First>) => string,
  isMiss?: (result: NoInfer<Result>) => boolean,
): CellRoute<With<First, Rest>, Result> {
  return ({ cells, call }, first, ...rest) =>
    cells.of(by, idOf(first), (cell) => call(cell, first, ...rest), isMiss);
}

/** Like {@link of}, but asks all cells if there is no id. */
export function ofOrAll<First, Rest extends readonly unknown[], Result>(
  by: Locator,
  idOf: (first: NoInfer<First>) => string | null,
  all: CellRoute<With<First, Rest>, NoInfer<Result>>,
): CellRoute<With<First, Rest>, Result> {
  return (asked, first, ...rest) => {
    const id = idOf(first);
    return id === null
      ? all(asked, first, ...rest)
      : asked.cells.of(by, id, (cell) => asked.call(cell, first, ...rest));
  };
}

/** Calls the cell of each item. The batch has one result per item. See {@link Cells.each}. */
export function each<Item, Rest extends readonly unknown[], Result>(
  by: Locator,
  idOf: (item: Item) => string,
  isMiss?: (result: Result) => boolean,
): CellRoute<Batch<Item, Rest>, readonly Result[]> {
  return ({ cells, call }, items, ...rest) =>
    cells.each(by, items, idOf, (cell, own) => call(cell, own, ...rest), isMiss);
}

/** Calls the cell of each item, all in one transaction. */
export function split<Item, Rest extends readonly unknown[], Result>(
  by: Locator,
  idOf: (item: Item) => string | null,
  gather: (results: readonly NoInfer<Result>[]) => NoInfer<Result> = first,
): CellRoute<Batch<Item, Rest>, Result> {
  return async ({ cells, call }, items, ...rest) =>
    gather(await cells.split(by, items, idOf, (cell, own) => call(cell, own, ...rest)));
}

/** Like {@link split}, but each cell may commit on its own. See {@link Cells.splitLoosely}. */
export function splitLoosely<Item, Rest extends readonly unknown[]>(
  by: Locator,
  idOf: (item: Item) => string | null,
): CellRoute<Batch<Item, Rest>, void> {
  return async ({ cells, call }, items, ...rest) => {
    await cells.splitLoosely(by, items, idOf, (cell, own) => call(cell, own, ...rest));
  };
}

/**
 * Calls one cell after the other, so that all transactions lock in the same order. Always asks the database where the
 * rows are, because a write to a cell that the rows have left would go unnoticed.
 */
export function afresh<Item, Rest extends readonly unknown[], Result>(
  by: Locator,
  idOf: (item: Item) => string,
  gather: (results: readonly NoInfer<Result>[]) => NoInfer<Result> = first,
): CellRoute<Batch<Item, Rest>, Result> {
  return async ({ cells, call }, items, ...rest) => {
    const results: Result[] = [];
    for (const [index, own] of await cells.groupAfresh(by, items, idOf)) {
      results.push(await call(cells.bound.cell(index), own, ...rest));
    }
    return gather(results);
  };
}

/** Calls all cells, and combines their results. */
export function allCells<Args extends readonly unknown[], Result>(
  gather: (results: readonly NoInfer<Result>[]) => NoInfer<Result>,
): CellRoute<Args, Result> {
  return async ({ cells, call }, ...args) => gather(await cells.readAll((cell) => call(cell, ...args)));
}

/** Calls all cells, and merges their rows in this order, up to the `limit` of the page. */
export function merged<Args extends readonly unknown[], Row>(
  order: Order<NoInfer<Row>>,
): CellRoute<Args, readonly Row[]> {
  return async ({ cells, call }, ...args) => {
    const limits = args.map((each) => (isPage(each) ? each.limit : Number.POSITIVE_INFINITY));
    return merge(await cells.readAll((cell) => call(cell, ...args)), order, Math.min(...limits));
  };
}

function isPage(argument: unknown): argument is { readonly limit: number } {
  return typeof argument === 'object' && argument !== null && 'limit' in argument;
}

/**
 * Calls one cell after the other until there are as many rows as the limit, which is the last number among the
 * arguments.
 */
export async function inTurn<Args extends readonly unknown[], Row>(
  { cells, call, name }: Asked<Args, readonly Row[]>,
  ...args: Args
): Promise<readonly Row[]> {
  const limit = limitIn(args);
  return cells.inTurn(name, limit.value, (cell, left) => call(cell, ...limit.replace(left)));
}

/** Like {@link inTurn}, and sorts the rows. */
export function inTurnBy<Args extends readonly unknown[], Row>(
  order: Order<NoInfer<Row>>,
): CellRoute<Args, readonly Row[]> {
  return async (asked, ...args) => [...(await inTurn(asked, ...args))].sort(order);
}

/** Like {@link inTurn}, for methods that return the number of rows. */
export async function countInTurn<Args extends readonly unknown[]>(
  { cells, call, name }: Asked<Args, number>,
  ...args: Args
): Promise<number> {
  const limit = limitIn(args);
  return cells.countInTurn(name, limit.value, (cell, left) => call(cell, ...limit.replace(left)));
}

function limitIn<Args extends readonly unknown[]>(args: Args) {
  const at = args.findLastIndex((each) => typeof each === 'number');
  const value = args[at];
  if (typeof value !== 'number') throw new Error('A method that asks cells in turn needs a limit.');
  return { value, replace: (left: number) => args.with(at, left) as unknown as Args };
}

/** Returns the first result. The results of all cells are equal, or the method returns nothing. */
export function first<Result>(results: readonly Result[]): Result {
  return results[0] as Result;
}

/** Joins the lists of all cells. */
export function joined<Row>(lists: readonly (readonly Row[])[]): readonly Row[] {
  return lists.flat();
}
