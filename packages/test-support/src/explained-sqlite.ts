import type { Repositories } from '@partner-hiring/core/ports';
import Sqlite, { type Database } from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { sqliteDialect } from '../../sqlite/src/dialect.js';
import { sqliteMigrations } from '../../sqlite/src/migrations.js';
import { createExplainedStorage } from './postgres/explained-storage.js';

export interface ExplainedSqlite {
  /** Explains its statements on an empty database, and returns made-up rows. */
  readonly direct: Repositories;
  /** The plan of each statement of the current test. */
  plans(): readonly string[];
}

/** Explains the statements of each test in a file. `answer` makes up the rows of a statement: by default, none. */
export function explainOnSqlite(answer: (sql: string) => readonly unknown[] = () => []): ExplainedSqlite {
  let handle: Database;
  let plans: string[] = [];
  beforeAll(() => {
    handle = new Sqlite(':memory:');
    for (const { sql } of sqliteMigrations()) handle.exec(sql);
  });
  afterAll(() => void handle.close());
  beforeEach(() => {
    plans = [];
  });

  const { direct } = createExplainedStorage(sqliteDialect, async (sql, sets) => {
    for (const parameters of sets) {
      const rows = handle
        .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
        .all(...parameters);
      plans.push(rows.map(({ detail }) => detail).join('\n'));
    }
    return { rows: answer(sql) };
  });
  return { direct, plans: () => plans };
}
