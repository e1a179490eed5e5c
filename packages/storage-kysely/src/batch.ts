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

function columnNames<Item>(columns: Columns<Item>): (keyof Item & string)[] {
  return Object.keys(columns) as (keyof Item & string)[];
}

/** Returns the function that makes a batch's items available to a statement as a table named `item`. */
export function itemsOf(batches: Batches): Unnest {
  if (batches.kind === 'json') return batches.unnest;
  return (_json, columns) => {
    const values = columnNames(columns).map((name) => sql`${itemValue(name)} as ${sql.ref(name)}`);
    return sql<never>`(select ${sql.join(values)})`.as('item');
  };
}

/** This limit is a literal, because the planner would have to guess the value of a parameter. */
const ONE = sql.lit(1);

type ItemColumn<Item> = <Name extends keyof Item & string>(name: Name) => RawBuilder<Item[Name]>;

/**
 * Runs a query for each item of a batch, with the query's limit and order.
 * @param query - finds the rows of one item; `item('name')` stands for the value of that column.
 */
export function forEachItem<Item, Row>(
  { queries, batches, items }: Preparation,
  rows: RawBuilder<JsonRows<Item>>,
  columns: Columns<Item>,
  query: (item: ItemColumn<Item>) => SelectQueryBuilder<Schema, never, Row>,
): Compilable<Row> {
  if (batches.kind === 'per_item') return query((name) => itemValue(name));
  const found = query((name) => sql.ref(`item.${name}`));
  return queries
    .selectFrom(items(rows, columns))
    .crossJoinLateral(found.as('found'))
    .selectAll('found') as unknown as Compilable<Row>;
}

/**
 * Looks up one row by a unique index for each item. Without statistics, the planner would scan the whole
 * table for a join. The limit of 1 prevents that.
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

interface BatchInsert<Table extends keyof Schema, Item, Values, Row> {
  readonly table: Table;
  readonly columns: Columns<Item>;
  readonly computed?: (param: Param<Values>) => Readonly<Record<string, Expression<unknown>>>;
  /** How many of the first columns identify a row. The database locks rows in their order. Default: 1. */
  readonly keyColumns?: number;
  /** Adds the clauses `on conflict` and `returning`. If omitted, a conflict is an error. */
  readonly finish?: (insert: Inserting<Table>, param: Param<Values>) => { compile: Compile<Row> };
}

type Compile<Row> = ReturnType<Parameters<typeof define<unknown, Row>>[0]>['compile'];

export function defineInsert<Table extends keyof Schema & string, Item, Values = object, Row = unknown>(
  { queries, items, batches }: Preparation,
  {
    table,
    columns,
    computed = () => ({}),
    keyColumns = 1,
    finish = (insert) => insert,
  }: BatchInsert<Table, Item, Values, Row>,
): Statement<Values & { readonly rows: JsonRows<Item> }, Row> {
  const names = columnNames(columns);
  return define((param: Param<Values & { readonly rows: JsonRows<Item> }>) => {
    const constants = Object.entries(computed(param as Param<Values>));
    const all = [...names, ...constants.map(([name]) => name)];
    const insert = queries.insertInto(table);
    if (batches.kind === 'per_item') {
      const values = [...names.map((name) => [name, itemValue(name)]), ...constants];
      return finish(insert.values(Object.fromEntries(values)), param as Param<Values>);
    }
    const selected = [
      ...names.map((name) => sql.ref(`item.${name}`)),
      ...constants.map(([, value]) => value),
    ];
    const source = items(param('rows') as never, columns);
    // `where true` keeps SQLite from parsing the `on conflict` clause as part of a join. `order by` makes all
    // transactions lock in the same order, which prevents deadlocks.
    const order = Array.from({ length: keyColumns }, (_, index) => index + 1).join(', ');
    const select = sql`select ${sql.join(selected)} from ${source} where true order by ${sql.raw(order)}`;
    return finish(insert.columns(all as never).expression(select as never), param as Param<Values>);
  });
}
