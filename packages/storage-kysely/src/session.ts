import { setImmediate } from 'node:timers/promises';
import type { JsonRows } from './dialect.js';
import type { Driver, Execute, Ways } from './driver.js';
import type { Statement } from './statement.js';

/** Runs statements on one connection. */
export interface Run {
  all<Values, Row>(statement: Statement<Values, Row>, values: Values): Promise<readonly Row[]>;
  first<Values, Row>(statement: Statement<Values, Row>, values: Values): Promise<Row | null>;
  /** How many rows the statement returns. One that writes must say `returning`. */
  count<Values>(statement: Statement<Values, unknown>, values: Values): Promise<number>;
  /** Runs a statement whose outcome decides nothing. */
  execute<Values>(statement: Statement<Values, unknown>, values: Values): Promise<void>;
  /** Runs a statement over a batch of items; its rows come in no particular order. */
  batch<Item, Values extends { readonly rows: JsonRows<Item> }, Row>(
    statement: Statement<Values, Row>,
    items: readonly Item[],
    values: Omit<Values, 'rows'>,
  ): Promise<{ readonly rows: readonly Row[] }>;
}

/** Where the statements of a repository run, and what they may do there. */
export interface Session {
  /** Statements that read. Each sees what is committed when its turn comes. */
  read<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /** Statements that belong together: all or none. */
  write<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /** The same for what does no harm if it alone is done, as where its transaction turns out not to have begun. */
  writeEarly<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /**
   * The same for the last statement of its transaction, behind which the commit may be on its way: one that fails if
   * that must not be. Null where somebody else commits.
   */
  readonly writeLast: WriteLast | null;
  /** The same as `write` for what need not survive a power failure. */
  writeWithAsyncCommit<T>(work: (run: Run) => Promise<T>): Promise<T>;
}

/** Runs the statement that ends a transaction. */
export type WriteLast = <T>(work: (run: Run) => Promise<T>) => Promise<T>;

/** A session in which each call commits by itself, and reads what was committed. */
export function createDirectSession(driver: Driver<never>): Session {
  return {
    read: (work) => driver.read((execute) => work(createRun(execute))),
    write: (work) => driver.write(({ execute }) => work(createRun(execute))),
    writeEarly: (work) => driver.write(({ executeEarly }) => work(createRun(executeEarly))),
    writeLast: (work) => driver.write(({ executeLast }) => work(createRun(executeLast))),
    writeWithAsyncCommit: (work) => driver.writeWithAsyncCommit((execute) => work(createRun(execute))),
  };
}

/** A session inside a transaction that the driver begins and ends. */
export function createTransactionSession({ execute, executeEarly, executeLast }: Ways): Session {
  const early = createRun(executeEarly);
  return {
    ...createRunSession(createRun(execute)),
    read: (work) => work(early),
    writeEarly: (work) => work(early),
    writeLast: (work) => work(createRun(executeLast)),
  };
}

/** A session inside a transaction of the host's, who may run other statements behind ours. */
export function createHostSession(execute: Execute): Session {
  return createRunSession(createRun(execute));
}

/** A session whose statements run where somebody else's do. */
export function createRunSession(run: Run): Session {
  return {
    read: (work) => work(run),
    write: (work) => work(run),
    writeEarly: (work) => work(run),
    writeLast: null,
    writeWithAsyncCommit: (work) => work(run),
  };
}

/**
 * Bounds how long a batch can stop the event loop; larger batches are prepared, and where a statement runs
 * inside the process for each item also run, in several parts with other work between them.
 */
const MAX_ITEMS = 1_000;

function createRun(execute: Execute): Run {
  async function rowsOf<Row>(statement: Statement<never, Row>, sets: readonly (readonly unknown[])[]) {
    const { rows } = await execute(statement.sql, sets);
    return rows as readonly Row[];
  }

  return {
    all: (statement, values) => rowsOf(statement, [statement.bind(values)]),
    first: async (statement, values) => (await rowsOf(statement, [statement.bind(values)]))[0] ?? null,
    count: async (statement, values) => (await rowsOf(statement, [statement.bind(values)])).length,
    execute: async (statement, values) => void (await rowsOf(statement, [statement.bind(values)])),
    batch: async <Item, Values extends { readonly rows: JsonRows<Item> }, Row>(
      statement: Statement<Values, Row>,
      items: readonly Item[],
      values: Omit<Values, 'rows'>,
    ) => {
      if (items.length === 0) return { rows: [] };
      if (!statement.takesItem) {
        const json = await toJson(items);
        return { rows: await rowsOf(statement, [statement.bind({ ...values, rows: json } as Values)]) };
      }
      const rows: Row[] = [];
      for (let start = 0; start < items.length; start += MAX_ITEMS) {
        if (start > 0) await setImmediate();
        const part = items.slice(start, start + MAX_ITEMS);
        const sets = part.map((item) => statement.bind(values as Values, item as object));
        for (const row of await rowsOf(statement, sets)) rows.push(row);
      }
      return { rows };
    },
  };
}

/** All items as one JSON text. A long one is written in parts too: only its statement must be one. */
async function toJson<Item>(items: readonly Item[]): Promise<JsonRows<Item>> {
  if (items.length <= MAX_ITEMS) return JSON.stringify(items);
  const parts: string[] = [];
  for (let start = 0; start < items.length; start += MAX_ITEMS) {
    if (start > 0) await setImmediate();
    parts.push(JSON.stringify(items.slice(start, start + MAX_ITEMS)).slice(1, -1));
  }
  return `[${parts.join(',')}]`;
}
