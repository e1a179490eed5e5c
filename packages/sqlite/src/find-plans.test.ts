import type { Execute } from '@partner-hiring/storage-kysely';
import { LOOKUPS, NAME_QUERIES, type PlannedLookup } from '@partner-hiring/test-support/find-plans';
import { createExplainedStorage } from '@partner-hiring/test-support/postgres/explained-storage';
import Sqlite, { type Database } from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sqliteDialect } from './dialect.js';
import { sqliteMigrations } from './migrations.js';

let handle: Database;
let plans: string[] = [];
const explain: Execute = async (sql, sets) => {
  for (const parameters of sets) {
    const rows = handle
      .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
      .all(...parameters);
    plans.push(...rows.map(({ detail }) => detail));
  }
  return { rows: [] };
};
const { direct } = createExplainedStorage(sqliteDialect, explain);

beforeAll(() => {
  handle = new Sqlite(':memory:');
  for (const { sql } of sqliteMigrations()) handle.exec(sql);
});
afterAll(() => handle.close());

async function planOf(run: PlannedLookup['run']): Promise<readonly string[]> {
  plans = [];
  await run(direct);
  return plans;
}

/** SQLite names the indexes of keys by their table. */
function isRead(detail: string, index: string): boolean {
  const isKey = /_(pkey|key)$/.test(index);
  return isKey ? /USING (PRIMARY KEY|INDEX sqlite_autoindex)/.test(detail) : detail.includes(` ${index} (`);
}

it.each(LOOKUPS)('$name: ranges of one index, in order', async ({ run, index, ranges, columns, anchor }) => {
  const plan = await planOf(run);
  // The row before the page is read by its id.
  const isAnchor = (detail: string) => anchor !== undefined && detail.includes('(id=?)');
  const read = plan.filter((detail) => detail.startsWith('SEARCH') && !isAnchor(detail));
  expect(read.filter((detail) => isRead(detail, index))).toHaveLength(ranges);
  expect(read).toHaveLength(ranges);
  for (const detail of read) for (const column of columns) expect(detail).toContain(column);
  expect(plan.join('\n')).not.toMatch(/SCAN ph_|TEMP B-TREE/);
});

it.each(NAME_QUERIES)('%s: no table is scanned', async (_, run) => {
  const plan = await planOf(run);
  expect(plan).not.toEqual([]);
  expect(plan.join('\n')).not.toMatch(/SCAN (ph_|key|partner)/);
});
