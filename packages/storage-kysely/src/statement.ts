import { type Compilable, type RawBuilder, sql } from 'kysely';

/** Returns a placeholder for a value that is known only when the statement runs. */
export type Param<Values> = <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>;

/** A compiled query. Running it again only binds new values. */
export interface Statement<Values, Row> {
  readonly sql: string;
  /** Returns the parameters in order. Placeholders of {@link itemValue} take their value from the item. */
  readonly bind: (values: Values, item?: object) => readonly unknown[];
  /** Whether the statement runs once for each item of a batch, rather than once for all. */
  readonly takesItem: boolean;
  /** Never set. It only carries the type of the rows. */
  readonly row?: Row;
}

/**
 * Compiles a query when it first runs, and only once, because compiling costs more than running it. In the query,
 * `param('name')` is a placeholder for that value.
 */
export function define<Values, Row>(
  build: (param: Param<Values>) => Compilable<Row>,
): Statement<Values, Row> {
  return whenNeeded(() => compile(build));
}

/** Returns a statement that is made when it first runs, because a process uses only a few of a storage's statements. */
export function whenNeeded<Values, Row>(make: () => Statement<Values, Row>): Statement<Values, Row> {
  let made: Statement<Values, Row> | null = null;
  const statement = () => {
    made ??= make();
    return made;
  };
  if (onMade !== null) onMade(statement().sql);
  return {
    get sql() {
      return statement().sql;
    },
    get takesItem() {
      return statement().takesItem;
    },
    bind: (values, item) => statement().bind(values, item),
  };
}

let onMade: ((sql: string) => void) | null = null;

/** Makes all statements of a storage while it opens, so that a test can look at them and at their parts. */
export function makeAtOnce<T>(open: () => T, look: (sql: string) => void = () => {}): T {
  onMade = look;
  try {
    return open();
  } finally {
    onMade = null;
  }
}

function compile<Values, Row>(build: (param: Param<Values>) => Compilable<Row>): Statement<Values, Row> {
  const compiled = build((name) => placeholder('values', name)).compile();
  const sources = compiled.parameters.map((parameter) => (isPlaceholder(parameter) ? parameter : null));
  return {
    sql: compiled.sql,
    // A plain loop, which is faster: it runs for each written row.
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

/** Returns a placeholder for a column of the batch's item. */
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
