import type { Repositories } from '@partner-hiring/core/ports';
import type { Session } from '@partner-hiring/storage-kysely';
import type { Directory, Locator } from './directory.js';
import { groupIn, HOME } from './group-in.js';
import { all } from './merge.js';
import type { Rotation } from './rotation.js';

/** The cells in one session. */
export interface BoundCells {
  readonly count: number;
  cell(index: number): Repositories;
  /** For statements about the cells themselves. */
  readonly session: Session;
  /** Runs work on one connection. Null if the session is a transaction already. */
  readonly alone: {
    read<T>(work: (cells: BoundCells) => Promise<T>): Promise<T>;
    write<T>(work: (cells: BoundCells) => Promise<T>): Promise<T>;
  } | null;
  /** Like `cell`, for a call that must not commit. */
  cellWithoutCommit(index: number): Repositories;
}

/** Routes calls to cells. */
export interface Cells {
  /** The first cell. It holds what belongs to no partner. */
  readonly home: Repositories;
  readonly bound: BoundCells;
  readonly placement: CellPlacement;
  /**
   * Calls the cell that holds the row `id`, or the home cell if there is no such row. If the result is a miss, checks
   * whether the row has moved, and if so, calls again. By default, null and an empty list are misses.
   */
  of<T>(by: Locator, id: string, call: CellCall<T>, isMiss?: (result: T) => boolean): Promise<T>;
  /**
   * Calls each cell with its items. Returns the results in the order of the items. Calls again for misses whose rows
   * have moved. By default, null and an empty list are misses.
   */
  each<Item, T>(
    by: Locator,
    items: readonly Item[],
    idOf: (item: Item) => string,
    call: (cell: Repositories, items: readonly Item[]) => Promise<readonly T[]>,
    isMiss?: (result: T) => boolean,
  ): Promise<readonly T[]>;
  /** Calls each cell with its items, all in one transaction. Returns one result for each called cell. */
  split<Item, T>(
    by: Locator,
    items: readonly Item[],
    idOf: (item: Item) => string | null,
    call: (cell: Repositories, items: readonly Item[]) => Promise<T>,
  ): Promise<readonly T[]>;
  /**
   * Like `split`, but each cell may commit on its own. Always asks the database where the rows are, because a write to
   * a cell that the rows have left would go unnoticed.
   */
  splitLoosely: Cells['split'];
  /** Returns the items of each cell, in the order of the cells. */
  group<Item>(
    bound: BoundCells,
    by: Locator,
    items: readonly Item[],
    idOf: (item: Item) => string | null,
  ): Promise<ReadonlyMap<number, readonly Item[]>>;
  /** Like `group` in this session, but looks up all rows again. */
  groupAfresh<Item>(
    by: Locator,
    items: readonly Item[],
    idOf: (item: Item) => string,
  ): Promise<ReadonlyMap<number, readonly Item[]>>;
  /**
   * Outside a transaction, calls again if a statement refers to a row that its cell lacks, because a partner has moved
   * between the look-up and the write.
   */
  rerouted<T>(call: () => Promise<T>): Promise<T>;
  /** Calls all cells in one transaction, in their order. */
  writeAll<T>(call: CellCall<T>): Promise<readonly T[]>;
  /** Calls all cells. If a partner moves meanwhile, calls them again. */
  readAll<T>(call: CellCall<T>): Promise<readonly T[]>;
  /**
   * Calls one cell after the other until `limit` rows are found. Begins after the cell that last had rows for this kind
   * of call, so that no cell waits for ever.
   */
  inTurn<T>(
    kind: string,
    limit: number,
    call: (cell: Repositories, left: number) => Promise<readonly T[]>,
  ): Promise<readonly T[]>;
  /** Like `inTurn`, for calls that return the number of rows. */
  countInTurn(
    kind: string,
    limit: number,
    call: (cell: Repositories, left: number) => Promise<number>,
  ): Promise<number>;
}

export type CellCall<T> = (cell: Repositories) => Promise<T>;

/** Reads and writes the table of cells. */
export interface CellPlacement {
  /** Returns how many moves there were. */
  moves(session: Session): Promise<number>;
  /** Chooses the cell of a new partner. Until the transaction ends, no partner is added or moved elsewhere. */
  choose(session: Session): Promise<number>;
}

/**
 * How often a call or a transaction runs again because a partner may have moved since its look-up. If it still fails
 * then, the row does not exist, and the caller gets the error.
 */
export const MOST_LATE = 3;

const isNothing = (result: unknown) => result === null || (Array.isArray(result) && result.length === 0);

/** All sessions of a storage share these parts. */
export interface CellsParts {
  readonly directory: Directory;
  readonly placement: CellPlacement;
  readonly rotation: Rotation;
  /** Whether a statement failed because a row that it refers to does not exist. */
  readonly lacksRow: (error: unknown) => boolean;
}

export function createCells(
  bound: BoundCells,
  { directory, placement, rotation, lacksRow }: CellsParts,
): Cells {
  const rerouted: Cells['rerouted'] = async (call) => {
    // The whole transaction runs again instead.
    if (bound.alone === null) return call();
    for (let left = MOST_LATE; left > 0; left -= 1) {
      try {
        return await call();
      } catch (error) {
        if (!lacksRow(error)) throw error;
        directory.forget(Number.POSITIVE_INFINITY);
      }
    }
    return call();
  };

  async function cellsOf(
    { session }: BoundCells,
    by: Locator,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const known = new Map<string, number>();
    const unknown: string[] = [];
    for (const id of ids) {
      const cell = directory.recall(by, id);
      if (cell === undefined) unknown.push(id);
      else known.set(id, cell);
    }
    if (unknown.length > 0)
      for (const [id, cell] of await directory.locate(session, by, unknown)) known.set(id, cell);
    return known;
  }

  const group: Cells['group'] = async (within, by, items, idOf) => {
    const ids = items.map(idOf).filter((id) => id !== null);
    return groupIn(await cellsOf(within, by, ids), items, idOf);
  };

  const each: Cells['each'] = (...asked) => rerouted(() => askEach(...asked));

  const askEach: Cells['each'] = async (by, items, idOf, call, isMiss = isNothing) => {
    type Item = (typeof items)[number];
    type T = Awaited<ReturnType<typeof call>>[number];
    const results = new Map<Item, { readonly value: T }>();
    let asked: readonly Item[] = items;
    while (asked.length > 0) {
      const cells = await cellsOf(bound, by, asked.map(idOf));
      const groups = groupIn(cells, asked, idOf);
      const answers = await all(
        [...groups].map(async ([cell, own]) => ({ cell, own, values: await call(bound.cell(cell), own) })),
      );
      const missed: { readonly item: Item; readonly cell: number }[] = [];
      for (const { cell, own, values } of answers) {
        for (const [index, item] of own.entries()) {
          const value = values[index] as T;
          results.set(item, { value });
          // A row that no cell had cannot have moved.
          if (cells.has(idOf(item)) && isMiss(value)) missed.push({ item, cell });
        }
      }
      asked = await movedOf(by, missed, idOf);
    }
    return items.map((item) => {
      const result = results.get(item);
      if (result === undefined) throw new Error('A cell must answer for each item.');
      return result.value;
    });
  };

  /** Returns the missed items that are in another cell now. */
  async function movedOf<Item>(
    by: Locator,
    missed: readonly { readonly item: Item; readonly cell: number }[],
    idOf: (item: Item) => string,
  ): Promise<readonly Item[]> {
    if (missed.length === 0) return [];
    const now = await directory.locate(
      bound.session,
      by,
      missed.map(({ item }) => idOf(item)),
    );
    return missed.filter(({ item, cell }) => (now.get(idOf(item)) ?? cell) !== cell).map(({ item }) => item);
  }

  const split =
    (isLoose: boolean): Cells['split'] =>
    (by, items, idOf, call) =>
      rerouted(async () => {
        const run = async (within: BoundCells, groups: ReadonlyMap<number, typeof items>) =>
          all([...groups].map(([cell, own]) => call(within.cell(cell), own)));
        if (isLoose)
          await directory.locate(
            bound.session,
            by,
            items.map(idOf).filter((id) => id !== null),
          );
        const groups = await group(bound, by, items, idOf);
        if (groups.size === 0) return [await call(bound.cell(HOME), [])];
        if (groups.size === 1 || isLoose || bound.alone === null) return run(bound, groups);
        return bound.alone.write((within) => run(within, groups));
      });

  const indexes = Array.from({ length: bound.count }, (_, index) => index);

  return {
    get home() {
      return bound.cell(HOME);
    },
    bound,
    placement,
    rerouted,
    group,
    groupAfresh: async (by, items, idOf) => {
      await directory.locate(bound.session, by, items.map(idOf));
      return group(bound, by, items, idOf);
    },
    each,
    of: async (by, id, call, isMiss = isNothing) => {
      const item = { id };
      const [result] = await each(
        by,
        [item],
        () => id,
        async (cell) => [{ value: await call(cell) }],
        ({ value }) => isMiss(value),
      );
      if (result === undefined) throw new Error('A cell must answer.');
      return result.value;
    },
    split: split(false),
    splitLoosely: split(true),
    writeAll: (call) => {
      const run = (within: BoundCells) => all(indexes.map((index) => call(within.cell(index))));
      return bound.alone === null ? run(bound) : bound.alone.write(run);
    },
    readAll: (call) => {
      const run = async (within: BoundCells) => {
        for (;;) {
          const before = await placement.moves(within.session);
          const results = await all(indexes.map((index) => call(within.cell(index))));
          if ((await placement.moves(within.session)) === before) return results;
        }
      };
      return bound.alone === null ? run(bound) : bound.alone.read(run);
    },
    inTurn: async (kind, limit, call) => {
      const found: Awaited<ReturnType<typeof call>>[number][] = [];
      for (const index of rotation.order(kind)) {
        if (found.length >= limit) break;
        const rows = await call(bound.cell(index), limit - found.length);
        if (rows.length > 0) rotation.served(kind, index);
        found.push(...rows);
      }
      return found;
    },
    countInTurn: async (kind, limit, call) => {
      let count = 0;
      for (const index of rotation.order(kind)) {
        if (count >= limit) break;
        const added = await call(bound.cell(index), limit - count);
        if (added > 0) rotation.served(kind, index);
        count += added;
      }
      return count;
    },
  };
}
