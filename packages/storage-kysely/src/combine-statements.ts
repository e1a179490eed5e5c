import { type Statement, whenNeeded } from './statement.js';

type Parts = Readonly<Record<string, Statement<never, unknown>>>;

type ValuesOf<Part> = Part extends Statement<infer Values, unknown> ? Values : never;

type ValuesOfParts<All extends Parts, Values> = {
  readonly [Name in keyof All]: ValuesOf<All[Name]>;
} & { readonly main: Values };

/**
 * Combines statements into one `with` query. All parts see the tables as they were at the start. `main` sees
 * the rows that the parts return. A part without `returning` returns one row for each row that it writes.
 * @param main - a query over the parts, by their names.
 */
export function combineStatements<All extends Parts, Values, Row>(
  parts: All,
  main: Statement<Values, Row>,
): Statement<ValuesOfParts<All, Values>, Row> {
  return whenNeeded(() => combine(parts, main));
}

function combine<All extends Parts, Values, Row>(
  parts: All,
  main: Statement<Values, Row>,
): Statement<ValuesOfParts<All, Values>, Row> {
  const named = Object.entries<Statement<never, unknown>>(parts) as [keyof All, Statement<never, unknown>][];
  let bound = 0;
  const tables = named.map(([name, { sql }]) => {
    const text = renumber(HAS_ROWS.test(sql) ? sql : `${sql} returning 1 as written`, bound);
    bound += [...sql.matchAll(PARAMETER)].filter(([, number]) => number !== undefined).length;
    return `"${String(name)}" as (${text})`;
  });
  return {
    sql: `with ${tables.join(', ')} ${renumber(main.sql, bound)}`,
    bind: (values) => [
      ...named.flatMap(([name, part]) => part.bind(values[name] as never)),
      ...main.bind(values.main),
    ],
    takesItem: false,
  };
}

const HAS_ROWS = /^select|\breturning\b/;

/** Matches a parameter such as `$1`. Also matches quoted text, so that a `$1` in it is skipped. */
const PARAMETER = /\$(\d+)|"(?:[^"]|"")*"|'(?:[^']|'')*'/g;

function renumber(sql: string, from: number): string {
  return sql.replace(PARAMETER, (text, number?: string) =>
    number === undefined ? text : `$${Number(number) + from}`,
  );
}
