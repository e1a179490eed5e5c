import { type Compilable, type RawBuilder, sql } from 'kysely';

/** Stands for a value that is known when the statement runs. */
export type Param<Values> = <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>;

/** A compiled query. Running it again only binds new values. */
export interface Statement<Values, Row> {
  readonly sql: string;
  /** Returns the parameters in order. Those of {@link itemValue} come from the item. */
  readonly bind: (values: Values, item?: object) => readonly unknown[];
  /** Whether it runs once for each item of a batch. */
  readonly takesItem: boolean;
  /** Only for the type of its rows. */
  readonly row?: Row;
}

/** Compiles a query once: that costs more than running it. `param('name')` stands for that value. */
export function define<Values, Row>(
  build: (param: Param<Values>) => Compilable<Row>,
): Statement<Values, Row> {
  const compiled = build((name) => placeholder('values', name)).compile();
  const sources = compiled.parameters.map((parameter) => (isPlaceholder(parameter) ? parameter : null));
  return {
    sql: compiled.sql,
    // A loop, because this runs for each written row.
    bind: (values, item = {}) => {
      const bound: unknown[] = [];
      for (let index = 0; index < sources.length; index += 1) {
        const source = sources[index];
        if (!source) bound.push(compiled.parameters[index]);
        else bound.push((source.of === 'item' ? item : (values as object))[source.name as never]);
      }
      return bound;
    },
    takesItem: sources.some((source) => source?.of === 'item'),
  };
}

/** Stands for a column of the item. */
export function itemValue<Value>(name: string): RawBuilder<Value> {
  return placeholder('item', name);
}

export const WRITTEN = sql.lit(1).as('written');

const PLACEHOLDER = Symbol('placeholder');

interface Placeholder {
  readonly [PLACEHOLDER]: true;
  readonly of: 'values' | 'item';
  readonly name: string;
}

function placeholder<Value>(of: Placeholder['of'], name: string): RawBuilder<Value> {
  const value: Placeholder = { [PLACEHOLDER]: true, of, name };
  return sql`${value}`;
}

function isPlaceholder(parameter: unknown): parameter is Placeholder {
  return typeof parameter === 'object' && parameter !== null && PLACEHOLDER in parameter;
}
