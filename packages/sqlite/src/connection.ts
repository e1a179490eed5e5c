import type { Execute, Outcome } from '@partner-hiring/storage-kysely';
import type { Database, Statement } from 'better-sqlite3';

/** A handle that keeps what it prepared: the texts of our statements are few, and constant. */
export interface Connection {
  readonly handle: Database;
  readonly execute: Execute;
}

type Run = (parameters: readonly unknown[]) => Outcome;

const NO_ROWS: Outcome = { rows: [] };
const ONE_ROW: Outcome = { rows: [{ written: 1 }] };

/** Wraps a handle. Statements run at once; only their answer is a promise. */
export function createConnection(handle: Database): Connection {
  const prepared = new Map<string, Run>();
  let together: typeof runAll | null = null;

  function prepare(sql: string): Run {
    // Whatever the host likes on its own handle: an instant is a number.
    const statement = handle.prepare<unknown[], unknown>(sql).safeIntegers(false);
    const run = statement.reader ? runReader(statement) : runWriter(statement);
    prepared.set(sql, run);
    return run;
  }

  return {
    handle,
    execute: async (sql, sets) => {
      const run = prepared.get(sql) ?? prepare(sql);
      if (sets.length < 2 || handle.inTransaction) return runAll(run, sets);
      // By itself each run would lock the file, look whether it has changed, and unlock it: half of what a look-up costs.
      together ??= handle.transaction(runAll);
      return together(run, sets);
    },
  };
}

function runAll(run: Run, sets: readonly (readonly unknown[])[]): Outcome {
  const [only, second] = sets;
  if (only !== undefined && second === undefined) return run(only);
  const rows: unknown[] = [];
  for (const parameters of sets) {
    for (const row of run(parameters).rows) rows.push(row);
  }
  return { rows };
}

/** Answers a row for each that was written: SQLite counts them right, and `returning` in two statements costs 14 µs more. */
function runWriter(statement: Statement<unknown[], unknown>): Run {
  return (parameters) => {
    const { changes } = statement.run(...parameters);
    if (changes <= 1) return changes === 0 ? NO_ROWS : ONE_ROW;
    return { rows: Array.from({ length: changes }, () => ONE_ROW.rows[0]) };
  };
}

/**
 * Reads rows as arrays and names their columns here: the driver's own objects cost half as much again.
 *
 * SQLite prepares a statement anew when a newer release has changed the tables, and a `*` in it then has a column
 * more or less. Its names are read again then, or each value would stand under its neighbour's.
 */
function runReader(statement: Statement<unknown[], unknown>): Run {
  const readNames = () => statement.columns().map(({ name }) => name);
  let names = readNames();
  const reader = statement.raw(true);
  return (parameters) => {
    const found = reader.all(...parameters) as unknown[][];
    if (found[0] !== undefined && found[0].length !== names.length) names = readNames();
    const rows = found.map((values) => {
      const row: Record<string, unknown> = {};
      for (let index = 0; index < names.length; index += 1) row[names[index] as string] = values[index];
      return row;
    });
    return { rows };
  };
}
