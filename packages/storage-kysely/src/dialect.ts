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

/** A batch as the JSON text of an array of objects. */
export type JsonRows<Item> = string & { readonly item?: Item };

/** The columns of a batch's items with their types, in the order of the insert. */
export type Columns<Item> = { readonly [Column in keyof Item & string]: ColumnKind };

/**
 * How the items of a batch get into a statement. The text of the statement does not depend on their number.
 *
 * A server is a round trip away, so it takes all items as one JSON parameter. In the process, running a
 * statement once for each item is cheaper than parsing JSON.
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

/**
 * The differences between databases. Every query is written once and asks the dialect where databases differ.
 */
export interface Dialect {
  /** Compiles queries. It does not run them: {@link Driver} does. */
  readonly queries: Kysely<Schema>;

  readonly batches: Batches;

  /**
   * Locks the rows of a query until the transaction ends. Not needed where only one transaction can write at
   * a time.
   */
  lockRows<Tables, Names extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, Names, Row>,
  ): SelectQueryBuilder<Tables, Names, Row>;

  /**
   * Like `lockRows`, but skips rows that another transaction has locked.
   *
   * @param of - the table to lock, for a query that joins several; all tables by default.
   */
  lockFreeRows<Tables, Names extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, Names, Row>,
    of?: Names & string,
  ): SelectQueryBuilder<Tables, Names, Row>;

  /**
   * An expression that is true and limits how long the transaction waits for locks from then on. Null where a
   * transaction never waits for another.
   */
  readonly shortLockTimeout: RawBuilder<boolean> | null;

  /** Returns the strings of a JSON array as rows. */
  strings(json: RawBuilder<string>): RawBuilder<string>;

  /** Aggregates a column into the text of a JSON array, in no particular order. */
  jsonList(column: Expression<string>): RawBuilder<string>;

  /**
   * A statement that notifies other processes of new work when the transaction commits. Null if the database
   * has no such channel.
   */
  readonly announceWork: Compilable<unknown> | null;

  /**
   * The storage's clock, in whole milliseconds. It dates rows, counts rate windows and judges leases. A file
   * uses `processNow`; a server has its own clock, so that all replicas agree.
   */
  storageNow(processNow: Expression<number>): Expression<number>;

  /**
   * How a combined statement does all or nothing. Null if the database runs the statements separately: in the
   * process that is cheaper, and no other transaction can write in between.
   */
  readonly assertions: Assertions | null;
}

/** The conditions on the parts of a combined statement. */
export interface Assertions {
  /**
   * Returns an expression that is 1 if all conditions hold. Otherwise the whole statement fails. The
   * conditions are evaluated in order, and each runs the parts that it names.
   */
  all(conditions: readonly Expression<boolean>[]): Expression<number>;
  /** Returns whether a statement failed because a condition of {@link all} did not hold. */
  isFailure(error: unknown): boolean;
}
