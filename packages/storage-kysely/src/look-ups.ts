import { type Compilable, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { itemsWith, pickColumns } from './batch.js';
import type { JsonRows, LockRows } from './dialect.js';
import { inOrder } from './mapping.js';
import type { Preparation } from './preparation.js';
import type { Schema } from './schema.js';
import type { Session } from './session.js';
import { define, itemValue, type Param, type Statement } from './statement.js';
import type { RowOf, Table, TableColumns, TableShape } from './table.js';

/** A literal: the planner has to guess a parameter's value, and does not match it to a partial index. */
export const ONE = sql.lit(1);

/** The item's value of a column. */
export type Item<Columns> = <Name extends keyof Columns & string>(name: Name) => RawBuilder<Columns[Name]>;

/**
 * Runs a query for each item of a batch, with the query's limit and order.
 * @param query - finds the rows of one item; `item('name')` stands for the value of that column.
 */
export function forEachItem<Columns, Row>(
  { queries, batches, items }: Preparation,
  rows: RawBuilder<JsonRows<Columns>>,
  columns: TableColumns<Columns>,
  query: (item: Item<Columns>) => SelectQueryBuilder<Schema, never, Row>,
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
export function lookUpEach<Columns, Row>(
  preparation: Preparation,
  rows: RawBuilder<JsonRows<Columns>>,
  columns: TableColumns<Columns>,
  query: (item: Item<Columns>) => SelectQueryBuilder<Schema, never, Row>,
): Compilable<Row> {
  return forEachItem(preparation, rows, columns, (item) => query(item).limit(ONE));
}

/** The values of a statement that runs for each item of a batch. */
type WithRows<Columns, Values> = Values & { readonly rows: JsonRows<Columns> };

/** Defines a statement that runs a query for each item of a batch: see `forEachItem`. */
export function defineEach<Columns, Row, Values = object>(
  preparation: Preparation,
  columns: TableColumns<NoInfer<Columns>>,
  query: (item: Item<Columns>, param: Param<Values>) => SelectQueryBuilder<Schema, never, Row>,
): Statement<WithRows<Columns, Values>, Row> {
  return define((param: Param<WithRows<Columns, Values>>) =>
    forEachItem(preparation, param('rows') as never, columns, (item) => query(item, param as Param<Values>)),
  );
}

/** Defines a statement that looks up one row by a unique index for each item of a batch: see `lookUpEach`. */
export function defineLookUps<Columns, Row, Values = object>(
  preparation: Preparation,
  columns: TableColumns<NoInfer<Columns>>,
  query: (item: Item<Columns>, param: Param<Values>) => SelectQueryBuilder<Schema, never, Row>,
): Statement<WithRows<Columns, Values>, Row> {
  return defineEach<Columns, Row, Values>(preparation, columns, (...each) => query(...each).limit(ONE));
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

/** Makes the method that finds the row of each id, or null, with a statement that finds it by this column. */
export function findByIds<
  By extends string,
  Id extends string,
  Row extends { readonly [Each in By]: Id },
  Value,
>(
  statement: Statement<{ readonly rows: JsonRows<{ readonly [Each in By]: Id }> }, Row>,
  by: By,
  toValue: (row: Row) => Value,
): (session: Session, ids: readonly Id[]) => Promise<readonly (Value | null)[]> {
  return (session, ids) =>
    session.read(async (run) => {
      const { rows } = await run.batch(statement, itemsWith(by, [...new Set(ids)]), {});
      return inOrder(ids, rows, (row) => row[by], toValue);
    });
}

/** Finds the row of each value of a unique column, or null. */
export function prepareFindByIds<
  Name extends keyof Schema & string,
  S extends TableShape,
  Value,
  By extends keyof S & string,
>(preparation: Preparation, table: Table<Name, S, Value>, by: By) {
  type Id = RowOf<S>[By] & string;
  const statement = defineLookUp(preparation, table, [by]);
  return findByIds<By, Id, RowOf<S> & Readonly<Record<By, Id>>, Value>(statement as never, by, table.toValue);
}

/** Finds the row of one value of a unique column, or null, and locks it. Default: without a lock. */
export function prepareFind<
  Name extends keyof Schema & string,
  S extends TableShape,
  Value,
  By extends keyof S & string,
>(
  { queries }: Preparation,
  { name, toValue }: Table<Name, S, Value>,
  by: By,
  lock: LockRows = (query) => query,
) {
  const statement = define((param: Param<{ readonly id: RowOf<S>[By] }>) => {
    const all = queries.selectFrom(name).selectAll() as unknown as SelectQueryBuilder<
      Schema,
      never,
      RowOf<S>
    >;
    return all.where(by as never, '=', param('id') as never).$call(lock);
  });
  return (session: Session, id: RowOf<S>[By]): Promise<Value | null> =>
    session.read((run) => run.one(statement, { id }, toValue));
}

type AnySelect = SelectQueryBuilder<Schema, never, object>;
