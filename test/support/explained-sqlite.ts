import Sqlite, { type Database } from 'better-sqlite3';
import { afterAll, beforeAll } from 'vitest';
import { sqliteDialect } from '../../packages/sqlite/src/dialect.js';
import { sqliteMigrations } from '../../packages/sqlite/src/migrations.js';
import type { PlanConditions, RunPlanned } from './plans/planned-query.js';
import { createExplainedStorage } from './postgres/plan-reader.js';

/** Explains the statements of queries, in one database for all tests of a file. */
export function explainOnSqlite() {
  let handle: Database;
  let plans: string[] = [];
  let answerNow: NonNullable<PlanConditions['answer']>;
  const statements: string[] = [];
  beforeAll(() => {
    handle = new Sqlite(':memory:');
    for (const { sql } of sqliteMigrations()) handle.exec(sql);
  });
  afterAll(() => void handle.close());

  const { direct } = createExplainedStorage(sqliteDialect, async (sql, [parameters = []]) => {
    statements.push(sql);
    const rows = handle
      .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
      .all(...parameters);
    plans.push(rows.map(({ detail }) => detail).join('\n'));
    return { rows: answerNow(sql) };
  });
  return {
    /** Runs a query on an empty database, and returns the plan of each of the query's statements. */
    plansOf: async (run: RunPlanned, answer: (sql: string) => readonly unknown[] = () => []) => {
      plans = [];
      answerNow = answer;
      await run(direct);
      return plans;
    },
    /** All statements so far. */
    statements,
  };
}
