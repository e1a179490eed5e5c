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

/** A server takes a batch as one JSON parameter. In the process, one run per item is cheaper than JSON. */
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

  /** Like `lockRows`, but skips locked rows. `of` is the table to lock, if the query joins several. */
  lockFreeRows<Tables, Names extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, Names, Row>,
    of?: Names & string,
  ): SelectQueryBuilder<Tables, Names, Row>;

  /** True, and sets a short lock timeout for the transaction; null where no transaction waits. */
  readonly shortLockTimeout: RawBuilder<boolean> | null;

  strings(json: RawBuilder<string>): RawBuilder<string>;

  /** Aggregates a column into a JSON array, in no particular order. */
  jsonList(column: Expression<string>): RawBuilder<string>;

  /** A statement that notifies other processes of new work at the commit; null without such a channel. */
  readonly announceWork: Compilable<unknown> | null;

  /** The storage's clock, in whole ms. A file uses `processNow`; a server uses its own, for all replicas. */
  storageNow(processNow: Expression<number>): Expression<number>;

  /** How a combined statement does all or nothing. Null in the process: separate ones are cheaper. */
  readonly assertions: Assertions | null;
}

export interface Assertions {
  /** Evaluates the conditions and their parts in order. Returns 1, or fails the statement if one is false. */
  all(conditions: readonly Expression<boolean>[]): Expression<number>;
  /** Returns whether a statement failed because of {@link all}. */
  isFailure(error: unknown): boolean;
}
