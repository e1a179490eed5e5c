import { copyFileSync, linkSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { StorageUnavailable } from '@partner-hiring/core';
import Sqlite from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { sampleCompany } from '../../../test/conformance/suite/storage/samples.js';
import { createSqliteStorage } from './create-sqlite-storage.js';
import { isSameFile } from './file-identity.js';

/** Opens a database and a second path made from its file. */
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

it('is the same file through a symbolic link', () => {
  const { one, other } = openTwo(symlinkSync);
  expect(isSameFile(one, other)).toBe(true);
});

it('is the same file through a second name with the same log, as on a case-insensitive file system', () => {
  const { one, other } = openTwo((file, name) => {
    linkSync(file, name);
    linkSync(`${file}-wal`, `${name}-wal`);
  });
  expect(isSameFile(one, other)).toBe(true);
});

it('is another file through a hard link, which has its own log', () => {
  const { one, other } = openTwo(linkSync);
  expect(isSameFile(one, other)).toBe(false);
});

it('is the same file through a relative path', () => {
  const { one, other } = openTwo(symlinkSync, (path) => relative(process.cwd(), path));
  expect(isSameFile(one, other)).toBe(true);
});

it('is another file as a copy or in memory', () => {
  const { one, other } = openTwo(copyFileSync);
  expect(isSameFile(one, other)).toBe(false);
  const inMemory = new Sqlite(':memory:');
  expect(isSameFile(one, inMemory)).toBe(false);
  inMemory.close();
});

async function openStorage(spaceAfter = '') {
  const folder = mkdtempSync(join(tmpdir(), 'ph-in-place-'));
  const file = join(folder, 'test.db');
  const storage = await createSqliteStorage({ file: file + spaceAfter });
  onTestFinished(async () => {
    await storage.close();
    rmSync(folder, { recursive: true });
  });
  const write = () => storage.transaction(({ companies }) => companies.addMissing([sampleCompany()]));
  await write();
  return { file, write, storage };
}

it.each([
  ['', ''],
  [', also with a newline after its path', '\n'],
])('rejects writes while the file is moved away%s', async (_, space) => {
  const { file, write } = await openStorage(space);
  renameSync(file, `${file}.away`);
  await expect(write()).rejects.toBeInstanceOf(StorageUnavailable);
  await expect(write()).rejects.toThrow(/deleted or moved.*Bring it back/);
  renameSync(`${file}.away`, file);
  await write();
});

it('rejects writes after another file replaced the database', async () => {
  const { file, write } = await openStorage();
  writeFileSync(`${file}.other`, '');
  renameSync(`${file}.other`, file);
  await expect(write()).rejects.toBeInstanceOf(StorageUnavailable);
  await expect(write()).rejects.toThrow(/Another file.*Restart the process/);
});

it.each(['-wal', '-shm'])(
  'rejects writes after the %s was deleted, and keeps earlier data when the storage closes',
  async (end) => {
    const { file, write, storage } = await openStorage();
    rmSync(file + end);
    const refusal = await write().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StorageUnavailable);
    expect(String(refusal)).toMatch(/-(?:wal|shm) .*deleted.*without killing it/);
    await storage.close();

    const after = new Sqlite(file);
    expect(after.prepare('select count(*) from ph_company').pluck().get()).toBe(1);
    after.close();
  },
);

it('rejects a file with hard links', async () => {
  const { file } = await openStorage();
  linkSync(file, `${file}.linked`);
  for (const name of [file, `${file}.linked`]) {
    const refusal = await createSqliteStorage({ file: name }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'MISCONFIGURED' });
    expect(String(refusal)).toMatch(/find .* -samefile/);
  }
  rmSync(`${file}.linked`);
  symlinkSync(file, `${file}.linked`);
  await (await createSqliteStorage({ file: `${file}.linked` })).close();
});

it('rejects statements in a host’s transaction after the log was deleted', async () => {
  const { file, storage } = await openStorage();
  const host = new Sqlite(file);
  onTestFinished(() => void host.close());
  const list = () => storage.within(host).companies.list();
  host.exec('begin immediate');
  expect(await list()).toHaveLength(1);
  rmSync(`${file}-wal`);
  await expect(list()).rejects.toBeInstanceOf(StorageUnavailable);
  host.exec('rollback');
});
