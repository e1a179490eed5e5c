import type { Execute, Outcome } from '@partner-hiring/storage-kysely';

/** Runs a single statement. */
export type RunStatement = (sql: string, parameters: readonly unknown[]) => Promise<Outcome>;

/** Where single statements run. */
interface Statements {
  readonly statement: RunStatement;
}

/** The statements of repositories on a connection. A batch comes as one set of parameters, and nearly all else. */
export function executeOn({ statement }: Statements): Execute {
  return async (sql, sets) => {
    const [only, second] = sets;
    if (only !== undefined && second === undefined) return statement(sql, only);
    const outcomes = await Promise.all(sets.map((parameters) => statement(sql, parameters)));
    return { rows: outcomes.flatMap(({ rows }) => rows) };
  };
}
