import {
  type Compilable,
  type Expression,
  type InsertQueryBuilder,
  type InsertResult,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from 'kysely';
import type { Batches, Columns, JsonRows, Unnest } from './dialect.js';
import type { Preparation } from './preparation.js';
import type { Schema } from './schema.js';
import { define, itemValue, type Param, type Statement } from './statement.js';

/** The names of the columns, for an insert that takes its rows from a batch of the same columns. */
function columnNames<Item>(columns: Columns<Item>): (keyof Item & string)[] {
  return Object.keys(columns) as (keyof Item & string)[];
}

/** A batch as a table named `item`: all its items, or one, as the database takes them. */
export function itemsOf(batches: Batches): Unnest {
  if (batches.kind === 'combineStatements') return batches.unnest;
  return (_json, columns) => {
    const values = columnNames(columns).map((name) => sql`${itemValue(name)} as ${sql.ref(name)}`);
    return sql<never>`(select ${sql.join(values)})`.as('item');
  };
}

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

type Inserting<Table extends keyof Schema> = InsertQueryBuilder<Schema, Table, InsertResult>;

/** An insert whose rows are the items of a batch. */
interface BatchInsert<Table extends keyof Schema, Item, Values, Row> {
  readonly table: Table;
  /** The columns that come from the items. */
  readonly columns: Columns<Item>;
  /** Columns that are the same for all items. */
  readonly computed?: (param: Param<Values>) => Readonly<Record<string, Expression<unknown>>>;
  /** What a conflict means, and what to return. Without it a conflict is an error. */
  readonly finish?: (insert: Inserting<Table>, param: Param<Values>) => { compile: Compile<Row> };
}

type Compile<Row> = ReturnType<Parameters<typeof define<unknown, Row>>[0]>['compile'];

/** Compiles an insert of a batch. */
export function defineInsert<Table extends keyof Schema & string, Item, Values = object, Row = unknown>(
  { queries, items, batches }: Preparation,
  {
    table,
    columns,
    computed = () => ({}),
    finish = (insert) => insert,
  }: BatchInsert<Table, Item, Values, Row>,
): Statement<Values & { readonly rows: JsonRows<Item> }, Row> {
  const names = columnNames(columns);
  return define((param: Param<Values & { readonly rows: JsonRows<Item> }>) => {
    const constants = Object.entries(computed(param as Param<Values>));
    const all = [...names, ...constants.map(([name]) => name)];
    const insert = queries.insertInto(table);
    if (batches.kind === 'one_by_one') {
      const values = [...names.map((name) => [name, itemValue(name)]), ...constants];
      return finish(insert.values(Object.fromEntries(values)), param as Param<Values>);
    }
    const selected = [
      ...names.map((name) => sql.ref(`item.${name}`)),
      ...constants.map(([, value]) => value),
    ];
    const source = items(param('rows') as never, columns);
    // The condition keeps a database from reading the conflict clause as part of a join. In one order, two batches
    // that meet lock their rows one after the other, and neither holds what the other waits for.
    const select = sql`select ${sql.join(selected)} from ${source} where true order by 1`;
    return finish(insert.columns(all as never).expression(select as never), param as Param<Values>);
  });
}
