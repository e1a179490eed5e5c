import {
  type Compilable,
  type Expression,
  type InsertQueryBuilder,
  type InsertResult,
  type OnConflictBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely';
import type { Batches, JsonRows, Unnest } from './dialect.js';
import { inOrder } from './mapping.js';
import type { Preparation } from './preparation.js';
import type { Schema } from './schema.js';
import type { Session } from './session.js';
import { define, itemValue, type Param, type Statement } from './statement.js';
import type { RowOf, Table, TableColumns, TableShape } from './table.js';

function columnNames<Item>(columns: TableColumns<Item>): (keyof Item & string)[] {
  return Object.keys(columns) as (keyof Item & string)[];
}

export function pickColumns<Item, Some extends keyof Item & string>(
  columns: TableColumns<Item>,
  names: readonly Some[],
): TableColumns<Pick<Item, Some>> {
  return Object.fromEntries(names.map((name) => [name, columns[name]])) as never;
}

/** Returns the function that makes a batch's items available to a statement as a table named `item`. */
export function itemsOf(batches: Batches): Unnest {
  if (batches.kind === 'json') return batches.unnest;
  return (_json, columns) => {
    const values = columnNames(columns).map((name) => sql`${itemValue(name)} as ${sql.ref(name)}`);
    return sql<never>`(select ${sql.join(values)})`.as('item');
  };
}

/** A literal: the planner has to guess a parameter's value, and does not match it to a partial index. */
export const ONE = sql.lit(1);

type ItemColumn<Item> = <Name extends keyof Item & string>(name: Name) => RawBuilder<Item[Name]>;

/**
 * Runs a query for each item of a batch, with the query's limit and order.
 * @param query - finds the rows of one item; `item('name')` stands for the value of that column.
 */
export function forEachItem<Item, Row>(
  { queries, batches, items }: Preparation,
  rows: RawBuilder<JsonRows<Item>>,
  columns: TableColumns<Item>,
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
  columns: TableColumns<Item>,
  query: (item: ItemColumn<Item>) => SelectQueryBuilder<Schema, never, Row>,
): Compilable<Row> {
  return forEachItem(preparation, rows, columns, (item) => query(item).limit(ONE));
}

/** Looks up the row of each item by the columns of a unique index. */
export function defineLookUp<
  Name extends keyof Schema & string,
  S extends TableShape,
  By extends keyof S & string,
>(
  preparation: Preparation,
  { name, columns }: Table<Name, S, unknown>,
  by: readonly By[],
): Statement<{ readonly rows: JsonRows<Pick<RowOf<S>, By>> }, RowOf<S>> {
  return define((param: Param<{ readonly rows: JsonRows<Pick<RowOf<S>, By>> }>) =>
    lookUpEach<Pick<RowOf<S>, By>, RowOf<S>>(
      preparation,
      param('rows'),
      pickColumns(columns, by),
      (item) =>
        by.reduce<AnySelect>(
          (query, each) => query.where(each as never, '=', item(each as never) as never),
          preparation.queries.selectFrom(name).selectAll() as unknown as AnySelect,
        ) as never,
    ),
  );
}

/** Finds the value of each key, or null. */
type FindEach<
  Name extends keyof Schema & string,
  S extends TableShape,
  By extends keyof S & string,
  Value,
> = (
  session: Session,
  keys: readonly Parameters<Table<Name, Pick<S, By>, unknown>['toRow']>[0][],
) => Promise<readonly (Value | null)[]>;

/** `by` are the columns of a unique index. */
export function prepareFindEach<
  Name extends keyof Schema & string,
  S extends TableShape,
  Value,
  By extends keyof S & string,
>(preparation: Preparation, table: Table<Name, S, Value>, by: readonly By[]): FindEach<Name, S, By, Value> {
  const statement = defineLookUp(preparation, table, by);
  const { toRow } = table.pick(...by);
  const nameOf = (row: Readonly<Record<By, unknown>>) => by.map((each) => row[each]).join(' ');
  return (session, keys) =>
    session.read(async (run) => {
      const asked: readonly Pick<RowOf<S>, By>[] = keys.map(toRow as never);
      const { rows } = await run.batch(statement, asked, {});
      return inOrder(asked.map(nameOf), rows, nameOf, table.toValue);
    });
}

type AnySelect = SelectQueryBuilder<Schema, never, object>;

type Inserting<Name extends keyof Schema> = InsertQueryBuilder<Schema, Name, InsertResult>;

interface BatchInsert<Name extends keyof Schema & string, S extends TableShape, Values, Row> {
  readonly table: Table<Name, S, unknown>;
  readonly computed?: (param: Param<Values>) => Readonly<Record<string, Expression<unknown>>>;
  /** How many of the first columns identify a row. The database locks rows in their order. Default: 1. */
  readonly keyColumns?: number;
  /** Adds the clauses `on conflict` and `returning`. If omitted, a conflict is an error. */
  readonly finish?: (insert: Inserting<Name>, param: Param<Values>) => { compile: Compile<Row> };
}

type Compile<Row> = ReturnType<Parameters<typeof define<unknown, Row>>[0]>['compile'];

export function defineInsert<
  Name extends keyof Schema & string,
  S extends TableShape,
  Values = object,
  Row = unknown,
>(
  { queries, items, batches }: Preparation,
  {
    table: { name, columns },
    computed = () => ({}),
    keyColumns = 1,
    finish = (insert) => insert,
  }: BatchInsert<Name, S, Values, Row>,
): Statement<Values & { readonly rows: JsonRows<RowOf<S>> }, Row> {
  const names = columnNames(columns);
  return define((param: Param<Values & { readonly rows: JsonRows<RowOf<S>> }>) => {
    const constants = Object.entries(computed(param as Param<Values>));
    const all = [...names, ...constants.map(([each]) => each)];
    const insert = queries.insertInto(name);
    if (batches.kind === 'per_item') {
      const values = [...names.map((each) => [each, itemValue(each)]), ...constants];
      return finish(insert.values(Object.fromEntries(values)), param as Param<Values>);
    }
    const selected = [
      ...names.map((each) => sql.ref(`item.${each}`)),
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

/** Overwrites a row that has the same values in the columns `by`, except for its columns `keep`. */
export function replace<Name extends keyof Schema & string, S extends TableShape>(
  { columns }: Table<Name, S, unknown>,
  by: readonly (keyof S & string)[],
  keep: readonly (keyof S & string)[] = [],
) {
  const replaced = columnNames(columns).filter((each) => ![...by, ...keep].includes(each));
  return (conflict: OnConflictBuilder<Schema, Name>) =>
    conflict
      .columns(by as never)
      .doUpdateSet(forEach(replaced, (each) => sql.ref(`excluded.${each}`)) as never);
}

type Updating<Name extends keyof Schema> = UpdateQueryBuilder<Schema, Name, Name, UpdateResult>;

interface BatchUpdate<Name extends keyof Schema & string, S extends TableShape, Values, Row> {
  /** The columns of the items. */
  readonly table: Table<Name, S, unknown>;
  /** Finds the rows by these columns of the items, and sets the others. */
  readonly by: readonly (keyof S & string)[];
  readonly finish?: (update: Updating<Name>, param: Param<Values>) => { compile: Compile<Row> };
}

export function defineUpdate<
  Name extends keyof Schema & string,
  S extends TableShape,
  Values = object,
  Row = unknown,
>(
  { queries, items }: Preparation,
  { table: { name, columns }, by, finish = (update) => update }: BatchUpdate<Name, S, Values, Row>,
): Statement<Values & { readonly rows: JsonRows<RowOf<S>> }, Row> {
  const set = columnNames(columns).filter((each) => !by.includes(each));
  return define((param: Param<Values & { readonly rows: JsonRows<RowOf<S>> }>) => {
    const update = (queries.updateTable(name) as unknown as Updating<Name>)
      .from(items(param('rows') as never, columns) as never)
      .set(forEach(set, (each) => sql.ref(`item.${each}`)) as never) as unknown as Updating<Name>;
    const found = by.reduce(
      (query, each) => query.whereRef(`${name}.${each}` as never, '=', `item.${each}` as never),
      update,
    );
    return finish(found, param as Param<Values>);
  });
}

/** Inserts one row. */
export function insertOne<Name extends keyof Schema & string, S extends TableShape>(
  { queries }: Preparation,
  { name, columns }: Table<Name, S, unknown>,
  param: Param<RowOf<S>>,
): Inserting<Name> {
  return queries.insertInto(name).values(forEach(columnNames(columns), param) as never);
}

function forEach<Name extends string>(
  names: readonly Name[],
  of: (name: Name) => RawBuilder<unknown>,
): Readonly<Record<string, RawBuilder<unknown>>> {
  return Object.fromEntries(names.map((name) => [name, of(name)]));
}

/** Returns the item's value for each column, for an update. */
export function columnsOfItem<S extends TableShape>({
  columns,
}: {
  readonly columns: TableColumns<RowOf<S>>;
}): { readonly [Name in keyof S & string]: RawBuilder<RowOf<S>[Name]> } {
  return forEach(columnNames(columns), (name) => sql.ref(`item.${name}`)) as never;
}

/** Returns a placeholder for each column, for an update of one row. */
export function columnParams<S extends TableShape>(
  { columns }: { readonly columns: TableColumns<RowOf<S>> },
  param: Param<RowOf<S>>,
): { readonly [Name in keyof S & string]: RawBuilder<RowOf<S>[Name]> } {
  return forEach(columnNames(columns), param) as never;
}
