import {
  type Expression,
  type InsertQueryBuilder,
  type InsertResult,
  type OnConflictBuilder,
  type RawBuilder,
  sql,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely';
import type { Batches, JsonRows, Unnest } from './dialect.js';
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

/** Returns an item for each value, which is its only column. */
export function itemsWith<Name extends string, Value>(
  name: Name,
  values: readonly Value[],
): readonly { readonly [Each in Name]: Value }[] {
  return values.map((value) => ({ [name]: value }) as { readonly [Each in Name]: Value });
}

/** Selects the only column of the items, a text, for `in`. */
export function selectItems<Name extends string, Value>(
  { queries, items }: Preparation,
  rows: RawBuilder<JsonRows<{ readonly [Each in Name]: Value }>>,
  name: Name,
): Expression<Value> {
  const item = items(rows, { [name]: 'text' } as never);
  return queries.selectFrom(item as never).select(`item.${name}` as never) as never;
}

/** Makes the method that runs a statement for the row of each value. */
export function writeEach<Value, Item>(
  statement: Statement<{ readonly rows: JsonRows<Item> }, unknown>,
  toRow: (value: Value) => Item,
  by: 'write' | 'writeWithAsyncCommit' = 'write',
): (session: Session, values: readonly Value[]) => Promise<void> {
  return (session, values) => session[by]((run) => run.each(statement, values.map(toRow), {}));
}

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

/** Defines an insert that replaces rows: see `replace`. */
export function defineSave<Name extends keyof Schema & string, S extends TableShape>(
  preparation: Preparation,
  table: Table<Name, S, unknown>,
  ...replaced: [by: readonly (keyof S & string)[], keep?: readonly (keyof S & string)[]]
) {
  return defineInsert(preparation, {
    table,
    finish: (insert) => insert.onConflict(replace(table, ...replaced)),
  });
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
