import { type Compilable, type RawBuilder, sql } from 'kysely';

/** Stands for a value that is known when the statement runs. */
export type Param<Values> = <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>;

/** A query compiled once. Running it again only binds new values. */
export interface Statement<Values, Row> {
  readonly sql: string;
  readonly bind: (values: Values) => readonly unknown[];
  /** Only for the compiler: what its rows look like. */
  readonly row?: Row;
}

/**
 * Compiles a query for good: building and compiling one costs more than running it.
 *
 * @param build - builds the query; `param('name')` is where the value of that name goes.
 */
export function define<Values, Row>(
  build: (param: Param<Values>) => Compilable<Row>,
): Statement<Values, Row> {
  const compiled = build((name) => sql`${createPlaceholder(name)}`).compile();
  return {
    sql: compiled.sql,
    bind: (values) =>
      compiled.parameters.map((parameter) =>
        isPlaceholder<keyof Values>(parameter) ? values[parameter[PLACEHOLDER]] : parameter,
      ),
  };
}

const PLACEHOLDER = Symbol('placeholder');

interface Placeholder<Name> {
  readonly [PLACEHOLDER]: Name;
}

function createPlaceholder<Name>(name: Name): Placeholder<Name> {
  return { [PLACEHOLDER]: name };
}

function isPlaceholder<Name>(parameter: unknown): parameter is Placeholder<Name> {
  return typeof parameter === 'object' && parameter !== null && PLACEHOLDER in parameter;
}
