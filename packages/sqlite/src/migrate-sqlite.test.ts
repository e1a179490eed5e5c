import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeMigrations } from '@partner-hiring/test-support/made-migrations';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import Sqlite from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSqliteStorage } from './create-sqlite-storage.js';
import { listSqliteMigrations, migrateFileTo, migrateSqlite } from './migrate-sqlite.js';
import { sqliteMigrationSql, writeMigrationSql } from './migration-sql.js';
import { sqliteMigrations } from './migrations.js';
import { openSqliteReader } from './open-sqlite-reader.js';

let folder = '';
let file = '';
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'test.db');
});

const numbers = (steps: readonly { readonly version: number }[]) => steps.map(({ version }) => version);
const all = numbers(listSqliteMigrations());

describe('migrateSqlite', () => {
  it('returns and applies the missing steps', async () => {
    expect(numbers(await migrateSqlite({ file, dryRun: true }))).toEqual(all);
    expect(existsSync(file)).toBe(false);
    expect(numbers(await migrateSqlite({ file }))).toEqual(all);
    expect(await migrateSqlite({ file })).toEqual([]);
    await (await createSqliteStorage({ file })).close();
  });

  it('runs each step once if called several times at once', async () => {
    await Promise.all([1, 2, 3].map(() => migrateSqlite({ file })));
    expect(await migrateSqlite({ file, dryRun: true })).toEqual([]);
  });

  it('refuses unknown options, and a file that is no database', async () => {
    const unknown = { file, dryrun: true };
    await expect(migrateSqlite(unknown)).rejects.toMatchObject({ code: 'MISCONFIGURED' });
    await expect(migrateSqlite({ file: ':memory:' })).rejects.toMatchObject({ code: 'MISCONFIGURED' });
    writeFileSync(file, 'This is no database. '.repeat(100), { mode: 0o600 });
    await expect(migrateSqlite({ file, dryRun: true })).rejects.toMatchObject({ name: 'StorageUnavailable' });
  });
});

describe('sqliteMigrationSql', () => {
  it('brings the file of this release to the next one', async () => {
    await migrateSqlite({ file });
    const own = sqliteMigrations();
    const next = [...own, ...makeMigrations(own, 'sqlite')];
    const handle = new Sqlite(file);
    handle.exec(writeMigrationSql(next, { file }));
    handle.close();
    expect(await migrateFileTo(next, { file, dryRun: true })).toEqual([]);
    expect(writeMigrationSql(next, { file })).toBe('-- No migration is missing.\n');
  });

  it('changes nothing if it fails and the client stops', async () => {
    const script = sqliteMigrationSql({ file });
    const handle = new Sqlite(file);
    handle.exec('create table ph_company (id text)');
    expect(() => handle.exec(script)).toThrow(/ph_company already exists/);
    handle.close();
    const again = new Sqlite(file);
    const tables = again.prepare("select name from sqlite_schema where type = 'table'").pluck().all();
    again.close();
    expect(tables).toEqual(['ph_company']);
  });
});

describe('openSqliteReader', () => {
  it('reads, and cannot write or create a file', async () => {
    expect(() => openSqliteReader({ file })).toThrow(/not accessible/);
    expect(existsSync(file)).toBe(false);
    await migrateSqlite({ file });
    const reader = openSqliteReader({ file });
    expect(reader.rows('select count(*) as count from ph_schema_migration')).toEqual([{ count: all.length }]);
    expect(() => reader.rows('delete from ph_schema_migration returning version')).toThrow(/read-only/);
    reader.close();
  });
});
