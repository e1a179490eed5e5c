import type { Statement } from './statement.js';

/** Statements that become parts of one, by the names that their rows have in it. */
type Parts = Readonly<Record<string, Statement<never, unknown>>>;

type ValuesOf<Part> = Part extends Statement<infer Values, unknown> ? Values : never;

/** What a statement of parts is run with: the values of each part, the rows of a batch among them, and those of `main`. */
type ValuesOfParts<All extends Parts, Values> = {
  readonly [Name in keyof All]: ValuesOf<All[Name]>;
} & { readonly main: Values };

/**
 * Makes one statement of several, for a database that takes statements which write as parts of a `with`. All see
 * the tables as they were when it began, and none what another writes: what is to be known of that, `main` reads
 * from the rows that parts return. One that returns none has a row for each that it wrote.
 *
 * @param parts - each compiled for all items of a batch.
 * @param main - a query over them, by their names.
 */
export function combineStatements<All extends Parts, Values, Row>(
  parts: All,
  main: Statement<Values, Row>,
): Statement<ValuesOfParts<All, Values>, Row> {
  const named = Object.entries<Statement<never, unknown>>(parts) as [keyof All, Statement<never, unknown>][];
  let bound = 0;
  const tables = named.map(([name, { sql }]) => {
    const text = renumber(HAS_ROWS.test(sql) ? sql : `${sql} returning 1 as written`, bound);
    bound += countParameters(sql);
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

/** A parameter, or what is quoted and only looks like one. */
const PARAMETER = /\$(\d+)|"(?:[^"]|"")*"|'(?:[^']|'')*'/g;

function renumber(sql: string, from: number): string {
  return sql.replace(PARAMETER, (text, number?: string) =>
    number === undefined ? text : `$${Number(number) + from}`,
  );
}

function countParameters(sql: string): number {
  return [...sql.matchAll(PARAMETER)].filter(([, number]) => number !== undefined).length;
}
