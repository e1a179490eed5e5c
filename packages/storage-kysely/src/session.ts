import * as timers from 'node:timers/promises';
import type { JsonRows } from './dialect.js';
import type { Driver, Execute, Ways } from './driver.js';
import type { Statement } from './statement.js';

/** Even if a test replaces it later. */
const turn = timers.setImmediate;

export interface Run {
  all<Values, Row>(statement: Statement<Values, Row>, values: Values): Promise<readonly Row[]>;
  first<Values, Row>(statement: Statement<Values, Row>, values: Values): Promise<Row | null>;
  /** Converts the first row. Returns null if there is none. */
  one<Values, Row, Value>(
    statement: Statement<Values, Row>,
    values: Values,
    toValue: (row: Row) => Value,
  ): Promise<Value | null>;
  /** Converts all rows. */
  list<Values, Row, Value>(
    statement: Statement<Values, Row>,
    values: Values,
    toValue: (row: Row) => Value,
  ): Promise<readonly Value[]>;
  /** Runs a statement and returns the number of its rows. A statement that writes needs `returning`. */
  count<Values>(statement: Statement<Values, unknown>, values: Values): Promise<number>;
  execute<Values>(statement: Statement<Values, unknown>, values: Values): Promise<void>;
  /** Runs a statement for all items of a batch. The rows come in no particular order. */
  batch<Item, Values extends { readonly rows: JsonRows<Item> }, Row>(
    statement: Statement<Values, Row>,
    items: readonly Item[],
    values: Omit<Values, 'rows'>,
  ): Promise<{ readonly rows: readonly Row[] }>;
  /** Runs a statement for all items of a batch, without its rows. */
  each<Item, Values extends { readonly rows: JsonRows<Item> }>(
    statement: Statement<Values, unknown>,
    items: readonly Item[],
    values: Omit<Values, 'rows'>,
  ): Promise<void>;
}

/** Runs the statements of a repository, each call in its own transaction or all in the same one. */
export interface Session {
  read<T>(work: (run: Run) => Promise<T>): Promise<T>;
  write<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /** Like `write`, for statements that may commit even if the rest of the transaction does not. */
  writeEarly<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /**
   * Like `write`, for the last statement of a transaction. It must fail if the transaction must not commit.
   * Null if the statement cannot be the last one, because the host commits.
   */
  readonly writeLast: WriteLast | null;
  /** Like `write`, but a power failure may lose the write. */
  writeWithAsyncCommit<T>(work: (run: Run) => Promise<T>): Promise<T>;
}

export type WriteLast = <T>(work: (run: Run) => Promise<T>) => Promise<T>;

/** Creates a session that commits each call separately. */
export function createDirectSession(driver: Driver<never>): Session {
  return {
    read: (work) => driver.read((execute) => work(createRun(execute))),
    write: (work) => driver.write(({ execute }) => work(createRun(execute))),
    writeEarly: (work) => driver.write(({ executeEarly }) => work(createRun(executeEarly))),
    writeLast: (work) => driver.write(({ executeLast }) => work(createRun(executeLast))),
    writeWithAsyncCommit: (work) => driver.writeWithAsyncCommit((execute) => work(createRun(execute))),
  };
}

export function createTransactionSession({ execute, executeEarly, executeLast }: Ways): Session {
  const early = createRun(executeEarly);
  return {
    ...createRunSession(createRun(execute)),
    read: (work) => work(early),
    writeEarly: (work) => work(early),
    writeLast: (work) => work(createRun(executeLast)),
  };
}

/** Creates a session in the host's transaction. The host may run more statements in it afterwards. */
export function createHostSession(execute: Execute): Session {
  return createRunSession(createRun(execute));
}

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
 * The size of the parts into which larger batches are split. Between two parts, the event loop can do other
 * work.
 */
const MAX_ITEMS = 1_000;

function createRun(execute: Execute): Run {
  async function rowsOf<Row>(statement: Statement<never, Row>, sets: readonly (readonly unknown[])[]) {
    const { rows } = await execute(statement.sql, sets);
    return rows as readonly Row[];
  }

  async function batch<Item, Values extends { readonly rows: JsonRows<Item> }, Row>(
    statement: Statement<Values, Row>,
    items: readonly Item[],
    values: Omit<Values, 'rows'>,
  ): Promise<{ readonly rows: readonly Row[] }> {
    if (items.length === 0) return { rows: [] };
    if (!statement.takesItem) {
      const json = await toJson(items);
      return { rows: await rowsOf(statement, [statement.bind({ ...values, rows: json } as Values)]) };
    }
    const rows: Row[] = [];
    for (let start = 0; start < items.length; start += MAX_ITEMS) {
      if (start > 0) await turn();
      const part = items.slice(start, start + MAX_ITEMS);
      const sets = part.map((item) => statement.bind(values as Values, item as object));
      for (const row of await rowsOf(statement, sets)) rows.push(row);
    }
    return { rows };
  }

  return {
    all: (statement, values) => rowsOf(statement, [statement.bind(values)]),
    first: async (statement, values) => (await rowsOf(statement, [statement.bind(values)]))[0] ?? null,
    one: async (statement, values, toValue) => {
      const [row] = await rowsOf(statement, [statement.bind(values)]);
      return row === undefined ? null : toValue(row);
    },
    list: async (statement, values, toValue) =>
      (await rowsOf(statement, [statement.bind(values)])).map((row) => toValue(row)),
    count: async (statement, values) => (await rowsOf(statement, [statement.bind(values)])).length,
    execute: async (statement, values) => void (await rowsOf(statement, [statement.bind(values)])),
    batch,
    each: async (...asked) => void (await batch(...asked)),
  };
}

/** Serializes the items as one JSON text, in several steps if there are many. */
async function toJson<Item>(items: readonly Item[]): Promise<JsonRows<Item>> {
  if (items.length <= MAX_ITEMS) return JSON.stringify(items);
  const parts: string[] = [];
  for (let start = 0; start < items.length; start += MAX_ITEMS) {
    if (start > 0) await turn();
    parts.push(JSON.stringify(items.slice(start, start + MAX_ITEMS)).slice(1, -1));
  }
  return `[${parts.join(',')}]`;
}
