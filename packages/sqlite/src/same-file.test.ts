import { copyFileSync, linkSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { isSameFile } from './same-file.js';

/** A handle on a database, and one on what was made of its file. */
function openTwo(make: (file: string, other: string) => void, nameOf = (other: string) => other) {
  const folder = mkdtempSync(join(tmpdir(), 'ph-same-'));
  const one = new Sqlite(join(folder, 'one.db'));
  one.pragma('journal_mode = wal');
  one.exec('create table t (a)');
  one.pragma('wal_checkpoint');
  make(one.name, join(folder, 'other.db'));
  const other = new Sqlite(nameOf(join(folder, 'other.db')));
  onTestFinished(() => {
    one.close();
    other.close();
    rmSync(folder, { recursive: true });
  });
  return { one, other };
}

it('a file is the same by a symbolic link', () => {
  const { one, other } = openTwo(symlinkSync);
  expect(isSameFile(one, other)).toBe(true);
});

it('a file is the same by another name that its log has too, as in upper case where case is ignored', () => {
  const { one, other } = openTwo((file, name) => {
    linkSync(file, name);
    linkSync(`${file}-wal`, `${name}-wal`);
  });
  expect(isSameFile(one, other)).toBe(true);
});

it('a second name is another file: SQLite keeps a log beside each, which the other does not see', () => {
  const { one, other } = openTwo(linkSync);
  expect(isSameFile(one, other)).toBe(false);
});

it('a file is the same by a relative path', () => {
  const { one, other } = openTwo(symlinkSync, (path) => relative(process.cwd(), path));
  expect(isSameFile(one, other)).toBe(true);
});

it('a copy is another file, and a database in memory none', () => {
  const { one, other } = openTwo(copyFileSync);
  expect(isSameFile(one, other)).toBe(false);
  const inMemory = new Sqlite(':memory:');
  expect(isSameFile(one, inMemory)).toBe(false);
  inMemory.close();
});
