import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorageUnavailable } from '@partner-hiring/core';
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
  const write = () => storage.transaction(({ companies }) => companies.save(sampleCompany()));
  await write();
  return { file, write };
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
