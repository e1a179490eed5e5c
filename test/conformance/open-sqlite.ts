import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorageUnderTest } from '@partner-hiring/conformance';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import { STORY_START } from '@partner-hiring/test-support/clock';
import Sqlite, { type Database } from 'better-sqlite3';

/** A storage on a SQLite file of its own. */
export async function openSqlite(): Promise<StorageUnderTest<Database>> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-hiring-'));
  const file = join(folder, 'test.db');
  let now = STORY_START;
  // Stands still unless it is moved, so that no window ends in the midst of a test.
  const another = () => createSqliteStorage({ file, clock: { now: () => now } });
  const storage = await another();
  return {
    storage,
    another,
    inHostTransaction: async (end, work) => {
      const host = new Sqlite(file);
      try {
        host.exec('begin immediate');
        const result = await work(host);
        host.exec(end);
        return result;
      } finally {
        host.close();
      }
    },
    advance: (ms) => {
      now += ms;
    },
    close: async () => {
      await storage.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
