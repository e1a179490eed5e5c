import type {
  AliasedRawBuilder,
  Compilable,
  Expression,
  Kysely,
  RawBuilder,
  SelectQueryBuilder,
} from 'kysely';
import type { Schema } from './schema.js';
import type { TableColumns } from './table.js';

export type { ColumnKind, TableColumns } from './table.js';

/** The JSON text of an array of objects. */
export type JsonRows<Item> = string & { readonly item?: Item };

/**
 * How statements take a batch. A database server takes it as one JSON parameter (`json`). SQLite runs in this
 * process, where one run per item (`per_item`) is cheaper than parsing JSON.
 */
export type Batches =
  | { readonly kind: 'per_item' }
  | {
      readonly kind: 'json';
      readonly unnest: Unnest;
    };

/** Turns the items in a JSON parameter into a table named `item`. */
export type Unnest = <Item>(
  json: Expression<JsonRows<Item>>,
  columns: TableColumns<Item>,
) => AliasedRawBuilder<Item, 'item'>;

/** Adds a lock to a query. */
export type LockRows = <Tables, Names extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Names, Row>,
) => SelectQueryBuilder<Tables, Names, Row>;

/** The differences between the databases. Every query is written once, and a dialect adapts it. */
export interface Dialect {
  /** The name of the database, such as `postgres`. */
  readonly name: string;

  readonly databaseVersion: RawBuilder<string>;

  /** Compiles queries; the {@link Driver} runs them. */
  readonly queries: Kysely<Schema>;

  readonly batches: Batches;

  /**
   * Locks the selected rows until the transaction ends. Does nothing in a database that runs one writing
   * transaction at a time.
   */
  readonly lockRows: LockRows;

  /** Like `lockRows`, but also waits for transactions that keep the rows with `keepRows`. */
  readonly lockKeptRows: LockRows;

  /**
   * Makes `lockKeptRows` in other transactions wait until this transaction ends. Updates and `lockRows` do not wait.
   * Does nothing in a database that runs one writing transaction at a time.
   */
  readonly keepRows: LockRows;

  /**
   * Like `lockRows`, but skips rows that another transaction has locked. If the query joins tables, `of`
   * names the one to lock.
   */
  lockFreeRows<Tables, Names extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, Names, Row>,
    of?: Names & string,
  ): SelectQueryBuilder<Tables, Names, Row>;

  /** Sets a short lock timeout for the transaction. Null for a database without row locks. */
  readonly shortLockTimeout: ShortLockTimeout | null;

  /** Reads and sets how long the transaction's statements wait for a lock. Null for a database without row locks. */
  readonly lockTimeout: LockTimeout | null;

  strings(json: RawBuilder<string>): RawBuilder<string>;

  /** Aggregates a column into a JSON array, in no particular order. */
  jsonList(column: Expression<string>): RawBuilder<string>;

  /**
   * A statement that notifies other processes of new work when the transaction commits. Null if the database
   * has no notifications.
   */
  readonly announceWork: Compilable<unknown> | null;

  /**
   * The current time in whole ms. A database server uses its own clock, which all replicas share. SQLite uses
   * `processNow`, the time of this process.
   */
  storageNow(processNow: Expression<number>): Expression<number>;

  /**
   * Where the database is: on a server, its system and the database, which the server itself says. SQLite uses `path`, the
   * path of the file.
   */
  storagePlace(path: Expression<string>): Expression<string>;

  /** An always-true condition to add to an `insert … select` from a table. Null if the database does not need one. */
  readonly whenSelected: RawBuilder<boolean> | null;

  /** Whether `returning` may contain {@link storageNow}. */
  readonly canReturnNow: boolean;

  /** Makes a combined statement do all or nothing. Null for SQLite, where separate statements are cheaper. */
  readonly assertions: Assertions | null;
}

export interface LockTimeout {
  /** In milliseconds, as text. 0 if statements wait without a limit. */
  readonly currentMs: RawBuilder<string>;
  /** Applies until the transaction ends. */
  set(ms: RawBuilder<string>): RawBuilder<string>;
}

/**
 * How to set the timeout: an always-true condition to add to the locking statement, or a statement to run before it.
 */
export type ShortLockTimeout =
  | { readonly kind: 'condition'; readonly condition: RawBuilder<boolean> }
  | { readonly kind: 'statement'; readonly statement: Compilable<unknown> };

export interface Assertions {
  /** Evaluates the conditions in order. Returns 1 if all are true; otherwise the whole statement fails. */
  all(conditions: readonly Expression<boolean>[]): Expression<number>;
  /** Returns whether a statement failed because of {@link all}. */
  isFailure(error: unknown): boolean;
}
