import type {
  AliasedRawBuilder,
  Compilable,
  Expression,
  Kysely,
  RawBuilder,
  SelectQueryBuilder,
} from 'kysely';
import type { Schema } from './schema.js';

export type ColumnKind = 'text' | 'integer' | 'real';

/** The JSON text of an array of objects. */
export type JsonRows<Item> = string & { readonly item?: Item };

/** The columns of a batch's items, in the order of the insert. */
export type Columns<Item> = { readonly [Column in keyof Item & string]: ColumnKind };

/**
 * How a batch gets into a statement. A server takes all items as one JSON parameter, to save round trips. In
 * the process, one run for each item is cheaper than parsing JSON.
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
  columns: Columns<Item>,
) => AliasedRawBuilder<Item, 'item'>;

/** The differences between databases. Every query is written once. */
export interface Dialect {
  /** Compiles queries; the {@link Driver} runs them. */
  readonly queries: Kysely<Schema>;

  readonly batches: Batches;

  /** Locks the rows until the transaction ends, where several transactions can write at a time. */
  lockRows<Tables, Names extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, Names, Row>,
  ): SelectQueryBuilder<Tables, Names, Row>;

  /**
   * Like `lockRows`, but skips locked rows.
   *
   * @param of - the table to lock, if the query joins several.
   */
  lockFreeRows<Tables, Names extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, Names, Row>,
    of?: Names & string,
  ): SelectQueryBuilder<Tables, Names, Row>;

  /**
   * An expression that is true and sets a short lock timeout for the transaction; null where no transaction
   * waits.
   */
  readonly shortLockTimeout: RawBuilder<boolean> | null;

  strings(json: RawBuilder<string>): RawBuilder<string>;

  /** Aggregates a column into a JSON array, in no particular order. */
  jsonList(column: Expression<string>): RawBuilder<string>;

  /** A statement that notifies other processes of new work at the commit; null without such a channel. */
  readonly announceWork: Compilable<unknown> | null;

  /**
   * The storage's clock, in whole milliseconds. A file uses `processNow`. A server uses its own clock, so
   * that replicas agree.
   */
  storageNow(processNow: Expression<number>): Expression<number>;

  /**
   * How a combined statement does all or nothing. Null if the statements run separately, which is cheaper in
   * the process.
   */
  readonly assertions: Assertions | null;
}

export interface Assertions {
  /**
   * Returns 1 if all conditions hold; otherwise the statement fails. Evaluates the conditions, and the parts
   * they name, in order.
   */
  all(conditions: readonly Expression<boolean>[]): Expression<number>;
  /** Returns whether a statement failed because of {@link all}. */
  isFailure(error: unknown): boolean;
}
