import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { seededDatabase } from './seeded-database.js';

/** What SQLite answers where a commit waits for the disk. */
const FULL = 2;

test('what the seed commits is on the disk before its keys are shown', async () => {
  const { exec } = Database.prototype;
  const atCommit: unknown[] = [];
  vi.spyOn(Database.prototype, 'exec').mockImplementation(function (this: Database.Database, sql) {
    if (sql === 'commit') atCommit.push(this.pragma('synchronous', { simple: true }));
    return exec.call(this, sql);
  });
  await seededDatabase();
  expect(atCommit.length).toBeGreaterThan(0);
  expect(new Set(atCommit)).toEqual(new Set([FULL]));
});
