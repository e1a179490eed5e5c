import type { Execute, Outcome } from '@partner-hiring/storage-kysely';

export type RunStatement = (sql: string, parameters: readonly unknown[]) => Promise<Outcome>;

interface Statements {
  readonly statement: RunStatement;
}

export function executeOn({ statement }: Statements): Execute {
  return async (sql, sets) => {
    const [only, second] = sets;
    if (only !== undefined && second === undefined) return statement(sql, only);
    const outcomes = await Promise.all(sets.map((parameters) => statement(sql, parameters)));
    return { rows: outcomes.flatMap(({ rows }) => rows) };
  };
}
