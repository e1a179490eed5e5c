import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeMigrations } from '@partner-hiring/test-support/made-migrations';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import Sqlite from 'better-sqlite3';
import { beforeEach, expect, test } from 'vitest';
import { createSqliteStorage, type SqliteStorageOptions } from './create-sqlite-storage.js';
import { assertMigrated } from './migrate-sqlite.js';
import { sqliteMigrations } from './migrations.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'test.sqlite');
});

const openNever = () => createSqliteStorage({ file, migrate: 'never' });
const refusal = (text: string) =>
  expect.objectContaining({ code: 'MISCONFIGURED', message: expect.stringContaining(text) });

test('without migrating, a file that does not exist is refused, and not created', async () => {
  await expect(openNever()).rejects.toEqual(refusal(`The file ${file} does not exist.`));
  expect(existsSync(file)).toBe(false);
});

test('without migrating, the file of another program is refused, and stays as it is', async () => {
  new Sqlite(file).exec('create table mine (id integer)').close();
  const before = readFileSync(file);
  await expect(openNever()).rejects.toEqual(refusal(`${file} has no tables of the partner API.`));
  expect(readFileSync(file)).toEqual(before);
});

test('without migrating, a file that lacks a migration is refused, and one that has all is opened', async () => {
  await (await createSqliteStorage({ file })).close();
  await (await openNever()).close();
  const own = sqliteMigrations();
  const check = () => assertMigrated(file, [...own, ...makeMigrations(own, 'sqlite')]);
  expect(check).toThrow(refusal(`${file} lacks migrations of this release.`));
  const handle = new Sqlite(file, { readonly: true });
  expect(handle.prepare('select max(version) from ph_schema_migration').pluck().get()).toBe(own.length);
  handle.close();
});

test('a typo in `migrate` does not migrate', async () => {
  const options = { file, migrate: 'nevr' } as unknown as SqliteStorageOptions;
  await expect(createSqliteStorage(options)).rejects.toEqual(
    refusal("`migrate` was given as the text 'nevr'. It must be 'at_start' or 'never'."),
  );
  expect(existsSync(file)).toBe(false);
});
