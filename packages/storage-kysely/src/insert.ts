import { type Expression, type InsertQueryBuilder, type InsertResult, sql } from 'kysely';
import { columnNames } from './columns.js';
import type { Columns, JsonRows } from './dialect.js';
import type { Preparation } from './preparation.js';
import type { Schema } from './schema.js';
import { define, itemValue, type Param, type Statement } from './statement.js';

type Inserting<Table extends keyof Schema> = InsertQueryBuilder<Schema, Table, InsertResult>;

/** An insert whose rows are the items of a batch. */
export interface BatchInsert<Table extends keyof Schema, Item, Values, Row> {
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
