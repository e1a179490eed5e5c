import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';

/** Creates a database for one test. */
export async function createTestDatabase() {
  const folder = await mkdtemp(join(tmpdir(), 'partner-hiring-adapter-'));
  const url = join(folder, 'test.sqlite');
  let now = Date.parse('2026-01-05T09:00:00.000Z');
  return {
    url,
    // Stands still, so that no rate window ends during a test.
    clock: { now: () => now },
    advance: (ms: number) => {
      now += ms;
    },
    transaction: async <T>(end: 'commit' | 'rollback', work: (transaction: Database) => Promise<T>) => {
      const host = new Sqlite(url);
      try {
        host.exec('begin immediate');
        const result = await work(host);
        host.exec(end);
        return result;
      } finally {
        host.close();
      }
    },
    drop: () => rm(folder, { recursive: true, force: true }),
  };
}
