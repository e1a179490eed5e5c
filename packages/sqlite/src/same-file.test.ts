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
  one.exec('create table t (a)');
  make(one.name, join(folder, 'other.db'));
  const other = new Sqlite(nameOf(join(folder, 'other.db')));
  onTestFinished(() => {
    one.close();
    other.close();
    rmSync(folder, { recursive: true });
  });
  return { one, other };
}

it.each([
  ['a symbolic link', symlinkSync],
  ['another name', linkSync],
])('a file is the same by %s', (_, make) => {
  const { one, other } = openTwo(make);
  expect(isSameFile(one, other)).toBe(true);
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
