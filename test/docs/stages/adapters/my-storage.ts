import type { Clock, Storage } from '@partner-hiring/core';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import type { Database } from 'better-sqlite3';

export type MyTransaction = Database;

export function createMyStorage(url: string, clock: Pick<Clock, 'now'>): Promise<Storage<MyTransaction>> {
  return createSqliteStorage({ file: url, clock });
}
