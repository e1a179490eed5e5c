import { type Compilable, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Columns, JsonRows } from './dialect.js';
import type { Preparation } from './preparation.js';
import type { Schema } from './schema.js';
import { itemValue } from './statement.js';

/** One row, told to the planner: a parameter it would have to guess. */
const ONE = sql.lit(1);

/** The value of one of the item's columns. */
type ItemColumn<Item> = <Name extends keyof Item & string>(name: Name) => RawBuilder<Item[Name]>;

/**
 * The rows that a query finds for each item of a batch: so many for each item, not for all together.
 *
 * Inside the process the query runs as it is, for one item after another. A server gets one statement, in which
 * the query stands beside each item. The rows of one item come in the query's order.
 *
 * @param query - finds the rows of one item; `item('name')` is where the value of that column goes.
 */
export function forEachItem<Item, Row>(
  { queries, batches, items }: Preparation,
  rows: RawBuilder<JsonRows<Item>>,
  columns: Columns<Item>,
  query: (item: ItemColumn<Item>) => SelectQueryBuilder<Schema, never, Row>,
): Compilable<Row> {
  if (batches.kind === 'one_by_one') return query((name) => itemValue(name));
  const found = query((name) => sql.ref(`item.${name}`));
  return queries
    .selectFrom(items(rows, columns))
    .crossJoinLateral(found.as('found'))
    .selectAll('found') as unknown as Compilable<Row>;
}

/**
 * The row that a query finds for each item of a batch: a look-up by a unique index, for every item by itself.
 *
 * Joined with the items instead, a server that has no statistics yet of a table that grows would read all of it for
 * each batch, which seems cheaper than some look-ups in a table of ten pages.
 */
export function lookUpEach<Item, Row>(
  preparation: Preparation,
  rows: RawBuilder<JsonRows<Item>>,
  columns: Columns<Item>,
  query: (item: ItemColumn<Item>) => SelectQueryBuilder<Schema, never, Row>,
): Compilable<Row> {
  return forEachItem(preparation, rows, columns, (item) => query(item).limit(ONE));
}
