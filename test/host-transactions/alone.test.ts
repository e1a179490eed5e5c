import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import { transactBetterSqlite3 } from '@partner-hiring/sqlite/better-sqlite3';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';

async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-alone-'));
  const file = join(folder, 'host.sqlite');
  const storage = await createSqliteStorage({ file });
  const database = new Sqlite(file, { timeout: 0 });
  database.exec('create table hire (id text primary key)');
  onTestFinished(async () => {
    database.close();
    await storage.close();
    rmSync(folder, { recursive: true });
  });
  const hires = () => database.prepare('select id from hire').pluck().all();
  return { storage, database, hires };
}

test('a host transaction waits for one of the storage, and does not block the process', async () => {
  const { storage, database, hires } = await open();
  let release = () => {};
  const own = storage.transaction(
    () =>
      new Promise<void>((resolve) => {
        release = resolve;
      }),
  );
  await setImmediate();
  expect(() => database.exec('begin immediate')).toThrow('database is locked');
  const written = transactBetterSqlite3(storage, database, async (tx) => {
    tx.prepare('insert into hire values (?)').run('app_1');
    await setImmediate();
    return 'written';
  });
  // Of the same handle, so it must wait for the first.
  const next = transactBetterSqlite3(storage, database, async () => hires());
  await setImmediate();
  expect(hires()).toEqual([]);
  release();
  await own;
  expect(await written).toBe('written');
  expect(await next).toEqual(['app_1']);
});

test('a host transaction that fails rolls back and lets the storage go on', async () => {
  const { storage, database, hires } = await open();
  const failed = transactBetterSqlite3(storage, database, async (tx) => {
    tx.prepare('insert into hire values (?)').run('app_1');
    throw new Error('The host changed its mind.');
  });
  await expect(failed).rejects.toThrow('The host changed its mind.');
  expect(hires()).toEqual([]);
  expect(await storage.transaction(async () => 'done')).toBe('done');
});
