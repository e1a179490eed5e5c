import type {
  AliasedRawBuilder,
  Compilable,
  Expression,
  Kysely,
  RawBuilder,
  SelectQueryBuilder,
} from 'kysely';
import type { Schema } from './schema.js';

/** The kinds of value that a column of a JSON parameter holds. */
export type ColumnKind = 'text' | 'integer' | 'real';

/** A batch as one JSON text: an array of objects of that form. */
export type JsonRows<Item> = string & { readonly item?: Item };

/** The columns of a batch's items, each with its kind, in the order of a table's insert. */
export type Columns<Item> = { readonly [Column in keyof Item & string]: ColumnKind };

/**
 * How the items of a batch get into a statement, whose text stays constant however many they are.
 *
 * Differs because a server is a round trip away: its items go together, as one JSON parameter. Inside the
 * process a statement costs next to nothing, and taking an item out of JSON costs more than looking it up.
 */
export type Batches =
  | { readonly kind: 'one_by_one' }
  | {
      readonly kind: 'combineStatements';
      /** The items as a table named `item`. Functions that unnest JSON differ from database to database. */
      readonly unnest: Unnest;
    };

/** Makes a table named `item` of the items in a JSON parameter. */
export type Unnest = <Item>(
  json: Expression<JsonRows<Item>>,
  columns: Columns<Item>,
) => AliasedRawBuilder<Item, 'item'>;

/**
 * What a database does in its own way. Every query is written once; each difference between databases is
 * named here, with its reason, and nowhere else.
 */
export interface Dialect {
  /** Compiles queries in the database's words. It runs none: {@link Driver} does. */
  readonly queries: Kysely<Schema>;

  /** How the items of a batch get into a statement. */
  readonly batches: Batches;

  /**
   * Locks the rows of a query until the transaction ends; others wait.
   *
   * Differs because a database with one writer at a time has locked everything when the transaction began.
   */
  lockRows<Tables, Names extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, Names, Row>,
  ): SelectQueryBuilder<Tables, Names, Row>;

  /**
   * The same, but passes over rows that others hold, so that nobody waits.
   *
   * Differs for the same reason: where there is one writer, nobody else holds a row.
   *
   * @param of - the one table whose rows are meant, for a query that joins others; all unless given.
   */
  lockFreeRows<Tables, Names extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, Names, Row>,
    of?: Names & string,
  ): SelectQueryBuilder<Tables, Names, Row>;

  /**
   * True, and from then on the transaction waits for locks for a moment only; null where that is not needed.
   *
   * Differs because where there is one writer, nobody is waited for within a transaction.
   */
  readonly waitsBriefly: RawBuilder<boolean> | null;

  /**
   * The strings of a JSON list, as rows.
   *
   * Differs because functions that unnest JSON do.
   */
  strings(json: RawBuilder<string>): RawBuilder<string>;

  /**
   * Aggregates a column of a group into one JSON list, as text, in no particular order.
   *
   * Differs because functions that aggregate into JSON do.
   */
  jsonList(column: Expression<string>): RawBuilder<string>;

  /**
   * A statement that tells other processes of work for them, once the transaction has committed; null where
   * none is told.
   *
   * Differs because a file has no channel to its other processes; a server may have one.
   */
  readonly announceWork: Compilable<unknown> | null;

  /**
   * The storage's clock, in whole milliseconds. It dates what is stored, counts rate windows and judges leases.
   *
   * Differs because a file has no clock: its processes share their machine's, which `processNow` brings. A
   * server has one of its own, on which replicas on different machines agree.
   */
  storageNow(processNow: Expression<number>): Expression<number>;

  /**
   * How a statement that was made of several does all or nothing; null where no such statement is made.
   *
   * Differs because only a server is a round trip away. Inside the process, one look after another costs less than
   * planning so large a statement, and no writer comes between the look and the commit.
   */
  readonly assertions: Assertions | null;
}

/** What a statement says of its parts, each of which has a name and rows. */
export interface Assertions {
  /**
   * 1 if all conditions hold. They are looked at in their order, and with each the parts that it speaks of are run.
   * At the first that does not hold the statement fails, and nothing of it was done.
   */
  all(conditions: readonly Expression<boolean>[]): Expression<number>;
  /** Whether a condition of {@link all} was what a statement failed of. */
  isFailure(error: unknown): boolean;
}
