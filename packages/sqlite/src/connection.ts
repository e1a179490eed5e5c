import type { Execute, Outcome } from '@partner-hiring/storage-kysely';
import type { Database, Statement } from 'better-sqlite3';

/** A handle that keeps what it prepared: the texts of our statements are few, and constant. */
export interface Connection {
  readonly handle: Database;
  readonly execute: Execute;
}

/** Wraps a handle. Statements run at once; only their answer is a promise. */
export function createConnection(handle: Database): Connection {
  const prepared = new Map<string, Statement<unknown[], unknown>>();

  function prepare(sql: string): Statement<unknown[], unknown> {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const statement = handle.prepare<unknown[], unknown>(sql);
    prepared.set(sql, statement);
    return statement;
  }

  async function execute(sql: string, parameters: readonly unknown[]): Promise<Outcome> {
    const statement = prepare(sql);
    if (!statement.reader) return { rows: [], changed: statement.run(...parameters).changes };
    const rows = statement.all(...parameters);
    return { rows, changed: rows.length };
  }

  return { handle, execute };
}
