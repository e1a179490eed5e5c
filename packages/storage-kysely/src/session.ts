import { setImmediate } from 'node:timers/promises';
import type { JsonRows } from './dialect.js';
import type { Driver, Execute } from './driver.js';
import type { Statement } from './statement.js';

/** Runs statements on one connection. */
export interface Run {
  all<Values, Row>(statement: Statement<Values, Row>, values: Values): Promise<readonly Row[]>;
  first<Values, Row>(statement: Statement<Values, Row>, values: Values): Promise<Row | null>;
  /** How many rows the statement inserted, updated or deleted. */
  changes<Values>(statement: Statement<Values, unknown>, values: Values): Promise<number>;
  /** Runs a statement over a batch of items; its rows come in no particular order. */
  batch<Item, Values extends { readonly rows: JsonRows<Item> }, Row>(
    statement: Statement<Values, Row>,
    items: readonly Item[],
    values: Omit<Values, 'rows'>,
  ): Promise<{ readonly rows: readonly Row[]; readonly changed: number }>;
}

/** Where the statements of a repository run, and what they may do there. */
export interface Session {
  /** Statements that read. Each sees what is committed when its turn comes. */
  read<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /** Statements that belong together: all or none. */
  write<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /** The same for what need not survive a power failure. */
  writeRelaxed<T>(work: (run: Run) => Promise<T>): Promise<T>;
}

/** A session in which each call commits by itself, and reads what was committed. */
export function createDirectSession(driver: Driver<never>): Session {
  return {
    read: (work) => driver.read((execute) => work(createRun(execute))),
    write: (work) => driver.write((execute) => work(createRun(execute))),
    writeRelaxed: (work) => driver.writeRelaxed((execute) => work(createRun(execute))),
  };
}

/** A session inside a transaction that somebody else begins and ends. */
export function createTransactionSession(execute: Execute): Session {
  return createRunSession(createRun(execute));
}

/** A session whose statements run where somebody else's do. */
export function createRunSession(run: Run): Session {
  return {
    read: (work) => work(run),
    write: (work) => work(run),
    writeRelaxed: (work) => work(run),
  };
}

/**
 * Bounds how long a batch can stop the event loop where a statement runs inside the process for each item;
 * larger batches run in several parts, with other work between them. A server takes all items at once.
 */
const MAX_ITEMS = 1_000;

function createRun(execute: Execute): Run {
  async function outcome<Row>(statement: Statement<never, Row>, sets: readonly (readonly unknown[])[]) {
    const { rows, changed } = await execute(statement.sql, sets);
    return { rows: rows as readonly Row[], changed };
  }

  return {
    all: async (statement, values) => (await outcome(statement, [statement.bind(values)])).rows,
    first: async (statement, values) => (await outcome(statement, [statement.bind(values)])).rows[0] ?? null,
    changes: async (statement, values) => (await outcome(statement, [statement.bind(values)])).changed,
    batch: async <Item, Values extends { readonly rows: JsonRows<Item> }, Row>(
      statement: Statement<Values, Row>,
      items: readonly Item[],
      values: Omit<Values, 'rows'>,
    ) => {
      if (items.length === 0) return { rows: [], changed: 0 };
      if (!statement.takesItem) return outcome(statement, bindItems(statement, items, values));
      const rows: Row[] = [];
      let changed = 0;
      for (let start = 0; start < items.length; start += MAX_ITEMS) {
        if (start > 0) await setImmediate();
        const sets = bindItems(statement, items.slice(start, start + MAX_ITEMS), values);
        const part = await outcome(statement, sets);
        for (const row of part.rows) rows.push(row);
        changed += part.changed;
      }
      return { rows, changed };
    },
  };
}

/** The parameters of each run: one for each item, or one for all of them. */
function bindItems<Item, Values extends { readonly rows: JsonRows<Item> }>(
  statement: Statement<Values, unknown>,
  items: readonly Item[],
  values: Omit<Values, 'rows'>,
): readonly (readonly unknown[])[] {
  if (!statement.takesItem) return [statement.bind({ ...values, rows: JSON.stringify(items) } as Values)];
  return items.map((item) => statement.bind(values as Values, item as object));
}
