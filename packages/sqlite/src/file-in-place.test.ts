import { linkSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorageUnavailable } from '@partner-hiring/core';
import Sqlite from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { sampleCompany } from '../../conformance/src/storage/samples.js';
import { createSqliteStorage } from './create-sqlite-storage.js';

async function openStorage(spaceAfter = '') {
  const folder = mkdtempSync(join(tmpdir(), 'ph-in-place-'));
  const file = join(folder, 'test.db');
  const storage = await createSqliteStorage({ file: file + spaceAfter });
  onTestFinished(async () => {
    await storage.close();
    rmSync(folder, { recursive: true });
  });
  const write = () => storage.transaction(({ companies }) => companies.add(sampleCompany()));
  await write();
  return { file, write, storage };
}

it.each([
  ['', ''],
  [", also where a line's end stands behind its path", '\n'],
])('nothing is said to be stored in a file that was moved away, until it is back%s', async (_, space) => {
  const { file, write } = await openStorage(space);
  renameSync(file, `${file}.away`);
  await expect(write()).rejects.toBeInstanceOf(StorageUnavailable);
  await expect(write()).rejects.toThrow(/deleted or moved.*Bring it back/);
  renameSync(`${file}.away`, file);
  await write();
});

it('nothing is said to be stored in a file that another one has replaced', async () => {
  const { file, write } = await openStorage();
  writeFileSync(`${file}.other`, '');
  renameSync(`${file}.other`, file);
  await expect(write()).rejects.toBeInstanceOf(StorageUnavailable);
  await expect(write()).rejects.toThrow(/Another file.*Start the process anew/);
});

it.each(['-wal', '-shm'])(
  'nothing is said to be stored once the %s is gone; what was, is in the file when the storage has closed',
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

it('a file with a second name is refused, under both: each has a log of its own', async () => {
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

it('a transaction of the host’s, too, is told that the log is gone before it commits', async () => {
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
