import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorageUnavailable } from '@partner-hiring/core';
import type { Storage } from '@partner-hiring/core/ports';
import Sqlite, { type Database } from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSqliteStorage } from './create-sqlite-storage.js';
import { retryBusy } from './write-queue.js';

/** Many times SQLite's own busy timeout. */
const HELD_MS = 400;
const TURNS = 20;

describe('a busy writer', () => {
  let folder = '';
  let storage: Storage<Database>;
  let other: Database;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ph-busy-'));
    storage = await createSqliteStorage({ file: join(folder, 'test.db') });
    other = new Sqlite(join(folder, 'test.db'));
  });
  afterEach(async () => {
    other.close();
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('does not block the event loop, and every transaction commits afterwards', async () => {
    // If writers blocked the loop, it would not turn so often before their deadline.
    let turns = 0;
    const turning = setInterval(() => {
      turns += 1;
      if (turns < TURNS || performance.now() < started + HELD_MS || !other.inTransaction) return;
      other.exec('commit');
    }, 1);
    other.exec('begin immediate');
    const started = performance.now();
    let runs = 0;
    const added = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        storage.transaction(async (tx) => {
          runs += 1;
          return tx.partners.add({ id: `ptn_${index}`, name: 'P', createdAt: index });
        }),
      ),
    ).finally(() => clearInterval(turning));
    expect(performance.now() - started).toBeGreaterThanOrEqual(HELD_MS - 10);
    expect(turns).toBeGreaterThanOrEqual(TURNS);
    expect(new Set(added)).toEqual(new Set(['added']));
    expect(runs).toBe(20);
  });

  it('does not block readers', async () => {
    other.exec('begin immediate');
    expect(await storage.direct.partners.list()).toEqual([]);
    other.exec('rollback');
  });

  it('does not block another process from opening an up-to-date file', async () => {
    other.exec('begin immediate');
    const opened = await createSqliteStorage({ file: join(folder, 'test.db') });
    expect(await opened.direct.partners.list()).toEqual([]);
    await opened.close();
    other.exec('rollback');
  });

  it('makes a call fail at its deadline, but accepts late success', async () => {
    const busy = new Sqlite.SqliteError('database is locked', 'SQLITE_BUSY');
    let calls = 0;
    const never = async () => {
      calls += 1;
      throw busy;
    };
    await expect(retryBusy(never, performance.now() + 60)).rejects.toBe(busy);
    expect(calls).toBeGreaterThan(2);
    // Past its deadline, a call still runs once.
    expect(await retryBusy(async () => 'late', performance.now() - 1)).toBe('late');
    calls = 0;
    await expect(retryBusy(never, performance.now() - 1)).rejects.toBe(busy);
    expect(calls).toBe(1);
  });

  it('makes a host’s transaction fail at once, because only the host can retry it', async () => {
    await storage.transaction(async () => {
      other.pragma('busy_timeout = 0');
      other.exec('begin');
      const work = storage.within(other).partners.add({ id: 'ptn_1', name: 'P', createdAt: 1 });
      await expect(work).rejects.toBeInstanceOf(StorageUnavailable);
      other.exec('rollback');
    });
  });

  it('rejects a host’s handle without a transaction', async () => {
    const add = async () => storage.within(other).partners.add({ id: 'ptn_1', name: 'P', createdAt: 1 });
    await expect(add()).rejects.toMatchObject({ code: 'MISCONFIGURED' });
    expect(await storage.direct.partners.list()).toEqual([]);
  });
});
