import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorageUnavailable } from '@partner-hiring/core';
import Sqlite from 'better-sqlite3';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { sampleCompany } from '../../../test/conformance/suite/storage/samples.js';
import { createSqliteStorage } from './create-sqlite-storage.js';
import { createPrivateFile } from './private-file.js';

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ph-private-'));
  file = join(folder, 'test.db');
  return () => rmSync(folder, { recursive: true });
});

function setUmask(mask: number): void {
  const before = process.umask(mask);
  onTestFinished(() => void process.umask(before));
}

function modes(): Record<string, string> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]));
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

async function open(path = file) {
  const storage = await createSqliteStorage({ file: path });
  onTestFinished(() => storage.close());
  return storage;
}

function pretendPlatform(value: NodeJS.Platform): void {
  const before = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
  Object.defineProperty(process, 'platform', { ...before, value });
  onTestFinished(() => void Object.defineProperty(process, 'platform', before));
}

describe('a new database file', () => {
  it.each([0o000, 0o022, 0o777])('is private, like -wal and -shm, with umask %o', async (mask) => {
    setUmask(mask);
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const storage = await open();
    await storage.transaction(({ companies }) => companies.addMissing([sampleCompany()]));
    expect(modes()).toEqual({ 'test.db': '600', 'test.db-wal': '600', 'test.db-shm': '600' });
    expect(warn).not.toHaveBeenCalled();
  });

  it('stays private when another connection creates its -wal, -shm or -journal', async () => {
    setUmask(0o000);
    await (await createSqliteStorage({ file })).close();
    expect(modes()).toEqual({ 'test.db': '600' });

    const host = new Sqlite(file);
    onTestFinished(() => void host.close());
    host.exec('create table mine (a)');
    expect(modes()).toEqual({ 'test.db': '600', 'test.db-wal': '600', 'test.db-shm': '600' });
    host.pragma('journal_mode = delete');
    host.exec('begin; insert into mine values (1)');
    expect(modes()).toEqual({ 'test.db': '600', 'test.db-journal': '600' });
  });

  it('is private through symbolic links', async () => {
    setUmask(0o000);
    symlinkSync('second', join(folder, 'first'));
    symlinkSync(join(folder, 'third.db'), join(folder, 'second'));
    await open(join(folder, 'first'));
    expect(modes()).toMatchObject({ 'third.db': '600', 'third.db-wal': '600', 'third.db-shm': '600' });
  });

  it('throws StorageUnavailable if it cannot be created', async () => {
    symlinkSync(join(folder, 'none', 'test.db'), file);
    const refusal = await createSqliteStorage({ file }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StorageUnavailable);
    expect(refusal).toMatchObject({ message: expect.stringContaining(file), cause: { code: 'ENOENT' } });
  });

  it('is left to SQLite on Windows, where the folder controls access', () => {
    pretendPlatform('win32');
    createPrivateFile(file);
    expect(existsSync(file)).toBe(false);
  });
});

describe('an existing database file', () => {
  it.each([0o644, 0o640, 0o620])('with mode %o causes one warning that contains the fix', async (mode) => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const name = join(folder, "o'hara.db");
    writeFileSync(name, '');
    chmodSync(name, mode);
    await open(name);
    await open(name);
    const quoted = `'${folder}/o'\\''hara.db`;
    expect(warn.mock.calls).toEqual([
      [
        expect.stringContaining(`\`chmod 600 ${quoted}' ${quoted}-wal' ${quoted}-shm'\``),
        { type: 'PartnerHiringWarning', code: 'MISCONFIGURED' },
      ],
    ]);
    expect(modeOf(name)).toBe(mode.toString(8));
  });

  it('is private, but its -wal is not: the warning names only the -wal', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    await open();
    chmodSync(`${file}-wal`, 0o644);
    await open();
    expect(warn.mock.calls).toEqual([
      [expect.stringContaining(`\`chmod 600 '${file}-wal'\``), expect.anything()],
    ]);
  });

  it('causes no warning if only its owner can read it', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    writeFileSync(file, '', { mode: 0o600 });
    await open();
    expect(warn).not.toHaveBeenCalled();
  });

  it('causes no warning on Windows', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    writeFileSync(file, '');
    chmodSync(file, 0o644);
    pretendPlatform('win32');
    await open();
    expect(warn).not.toHaveBeenCalled();
  });
});
