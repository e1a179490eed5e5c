import type { Storage } from '@partner-hiring/core/ports';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import type { Database } from 'better-sqlite3';

export type MyTransaction = Database;

/** On a clock that stands still, so that no rate window ends in the midst of a test. */
const clock = { now: () => Date.parse('2026-01-05T09:00:00.000Z') };

export function createMyStorage(url: string): Promise<Storage<MyTransaction>> {
  return createSqliteStorage({ file: url, clock });
}
