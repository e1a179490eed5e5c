import fs, { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { OperatorError } from '@partner-hiring/core';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import Sqlite from 'better-sqlite3';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { checkFile, openConnections } from './connections.js';
import { createSqliteStorage } from './create-sqlite-storage.js';
import { applySettings, checkVersion, SETTINGS } from './settings.js';

describe('settings', () => {
  let folder = '';
  beforeEach(() => {
    folder = temporaryFolder();
  });

  it('makes the writer durable and the reader read-only', () => {
    const { writer, reader, close } = openConnections(join(folder, 'test.db'));
    const read = (pragma: string) => writer.handle.pragma(pragma, { simple: true });
    expect(read('synchronous')).toBe(2);
    expect(read('journal_mode')).toBe('wal');
    expect(read('foreign_keys')).toBe(1);
    expect(read('busy_timeout')).toBeLessThanOrEqual(20);
    expect(() => reader.handle.exec('create table t (a)')).toThrow(/readonly/);
    close();
  });

  it('rejects a SQLite without FULL, naming the setting and the fix', () => {
    const handle = { pragma: (text: string) => (text.includes('synchronous') ? 1 : 'wal') };
    const [, , full] = SETTINGS.writer;
    expect(() => applySettings(handle, [full])).toThrow(OperatorError);
    expect(() => applySettings(handle, [full])).toThrow(/reports 1 for `pragma synchronous`.*Use a build/);
  });

  it('rejects a file system without a write-ahead log', () => {
    const handle = { pragma: () => 'delete' };
    expect(() => applySettings(handle, SETTINGS.writer.slice(1, 2))).toThrow(/local file system/);
  });

  it.each([
    ['3.36.0', false],
    ['3.37.0', true],
    ['3.100.2', true],
    ['4.0.0', true],
  ])('SQLite %s is new enough: %s', (version, isEnough) => {
    const handle = new Sqlite(':memory:');
    handle.function('sqlite_version', () => version);
    const check = () => checkVersion(handle);
    if (isEnough) expect(check).not.toThrow();
    else expect(check).toThrow(/Upgrade better-sqlite3/);
    handle.close();
  });

  it.each([
    ':memory:',
    '',
    '  ',
    'file::memory:?cache=shared',
    'a\0.db',
    undefined,
    new URL('file:///test.db'),
  ])('rejects %j, which is not a file path', async (given) => {
    const file = given as string;
    await expect(createSqliteStorage({ file })).rejects.toMatchObject({ code: 'MISCONFIGURED' });
  });

  it.each([undefined, null, 'test.db'])('explains its options when called with %j', async (options) => {
    const opening = createSqliteStorage(options as never);
    await expect(opening).rejects.toMatchObject({
      code: 'MISCONFIGURED',
      message: expect.stringContaining("`createSqliteStorage({ file: 'partner-hiring.sqlite' })`"),
    });
  });

  it('rejects unknown options, even if undefined', async () => {
    const options = { file: join(folder, 'test.db'), clcok: undefined };
    await expect(createSqliteStorage(options)).rejects.toMatchObject({
      code: 'MISCONFIGURED',
      message:
        'createSqliteStorage was given `clcok`, which does not exist. Its options are `file`, `migrate`, `clock`.',
    });
  });

  it('rejects a folder that does not exist', () => {
    expect(() => checkFile(join(folder, 'none', 'test.db'))).toThrow(/does not exist/);
  });

  it('rejects a folder as the file, and a file as its folder', async () => {
    const misconfigured = (message: RegExp) =>
      expect.objectContaining({ code: 'MISCONFIGURED', message: expect.stringMatching(message) });
    await expect(createSqliteStorage({ file: folder })).rejects.toEqual(misconfigured(/is a folder.*in it/));
    const file = join(folder, 'test.db');
    writeFileSync(file, '');
    expect(() => checkFile(join(file, 'test.db'))).toThrow(misconfigured(/is not a folder/));
  });

  it('rejects a read-only file before creating files beside it', () => {
    const file = join(folder, 'test.db');
    const mayWrite = vi.spyOn(fs, 'accessSync');
    syncBuiltinESMExports();
    onTestFinished(() => {
      mayWrite.mockRestore();
      syncBuiltinESMExports();
    });
    // Root may write regardless of the mode.
    mayWrite.mockImplementation(() => {
      throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
    });
    expect(() => checkFile(file)).not.toThrow();
    writeFileSync(file, '');
    expect(() => checkFile(file)).toThrow(
      expect.objectContaining({
        code: 'MISCONFIGURED',
        message: expect.stringMatching(/test\.db.*EROFS.*Let/),
      }),
    );
    expect(mayWrite).toHaveBeenCalledWith(file, fs.constants.W_OK);
  });
});
