/** The checks of a SQLite file and of the settings, each shown failing. */
import { execSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { runDoctor } from '../../packages/cli/src/index.js';
import { createFilledStage, type DoctorStage } from './doctor-stage.js';

function fileOf({ database }: DoctorStage): string {
  if (database.kind !== 'sqlite') throw new Error('These tests need SQLite.');
  return database.file;
}

async function checkDatabase(database: string) {
  const { checks } = await runDoctor({ database });
  return checks.find(({ name }) => name === 'database');
}

test('the check of the database finds a file that is missing, and does not create it', async () => {
  const file = join(temporaryFolder(), 'missing.sqlite');
  expect(await checkDatabase(file)).toMatchObject({
    state: 'failed',
    finding: expect.stringContaining('does not exist'),
    fix: expect.stringContaining('migrate'),
  });
  expect(await checkDatabase(file)).toMatchObject({ finding: expect.stringContaining('does not exist') });
});

test('the check of the database finds what is no database', async () => {
  const folder = temporaryFolder();
  const [text, nested] = [join(folder, 'text.sqlite'), join(folder, 'folder.sqlite')];
  writeFileSync(text, 'This is no database. '.repeat(100));
  mkdirSync(nested);
  expect(await checkDatabase(text)).toMatchObject({
    state: 'failed',
    finding: expect.stringContaining('not a SQLite database'),
  });
  expect(await checkDatabase(nested)).toMatchObject({
    state: 'failed',
    finding: expect.stringContaining('is not a file'),
  });
});

test('a file that another process has locked fails in bounded time', async () => {
  const stage = await createFilledStage();
  const handle = new Sqlite(fileOf(stage));
  onTestFinished(() => void handle.close());
  handle.pragma('journal_mode = delete');
  handle.exec('begin exclusive');
  const startedAt = performance.now();
  const results = await stage.check({ timeoutMs: 200 });
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(results.get('database')).toMatchObject({
    state: 'failed',
    finding: expect.stringContaining('locked the file'),
  });
  handle.exec('rollback');
});

test('the check of the file finds a second hard link and rights of other users', async () => {
  const stage = await createFilledStage();
  const file = fileOf(stage);
  expect((await stage.check()).get('file')?.state).toBe('ok');
  chmodSync(file, 0o644);
  const open = (await stage.check()).get('file');
  expect(open).toMatchObject({ state: 'warning', fix: expect.stringContaining(`chmod 600 '${file}'`) });
  execSync(open?.fix ?? '');
  symlinkSync(file, `${file}.link`);
  expect((await stage.check()).get('file')?.state).toBe('ok');
  linkSync(file, `${file}.hard`);
  expect((await stage.check()).get('file')).toMatchObject({
    state: 'failed',
    finding: expect.stringContaining('2 hard links'),
  });
});

test.each([
  [{ type: 0x6969, freeBytes: 1e12 }, /network file system \(NFS\)/],
  [{ type: 0xff534d42 | 0, freeBytes: 1e12 }, /network file system \(CIFS\)/],
  [{ type: 0xef53, freeBytes: 1e6 }, /Only 1 MB of the disk are free/],
])('the check of the file system finds %j', async (fileSystem, says) => {
  const stage = await createFilledStage();
  expect((await stage.check()).get('file-system')?.state).toBe('ok');
  const results = await stage.check({ fileSystem: () => fileSystem });
  expect(results.get('file-system')).toMatchObject({ state: 'failed', finding: expect.stringMatching(says) });
});

test.each([
  [{ type: 0x65735546, freeBytes: 1e12 }, 'FUSE'],
  [{ type: 0x65735546, freeBytes: 1e12, shared: 'virtiofs' }, 'virtiofs'],
  [{ type: 0xef53, freeBytes: 1e12, shared: 'fakeowner' }, 'fakeowner'],
])('the check of the file system warns of %j', async (fileSystem, name) => {
  const stage = await createFilledStage();
  const results = await stage.check({ fileSystem: () => fileSystem });
  expect(results.get('file-system')).toMatchObject({
    state: 'warning',
    finding: expect.stringContaining(`shared file system (${name})`),
    fix: expect.stringContaining('local disk'),
  });
});

test('the check of the journal mode finds a file without a write-ahead log, and its fix mends it', async () => {
  const stage = await createFilledStage();
  await stage.run('pragma journal_mode = delete');
  const found = (await stage.check()).get('journal-mode');
  expect(found).toMatchObject({
    state: 'failed',
    finding: expect.stringContaining('journal mode is delete'),
  });
  const [statement = ''] = (found?.fix ?? '').split('\n');
  await stage.runAlone(statement);
  expect((await stage.check()).get('journal-mode')?.state).toBe('ok');
});

test('the check of space finds a long log and unused pages', async () => {
  const stage = await createFilledStage();
  expect((await stage.check()).get('space')?.state).toBe('ok');
  const handle = new Sqlite(fileOf(stage));
  handle.exec(
    'create table filler (text text); insert into filler select hex(randomblob(500000)); drop table filler',
  );
  expect((await stage.check({ limits: { walBytes: 10_000 } })).get('space')).toMatchObject({
    state: 'warning',
    finding: expect.stringContaining('write-ahead log'),
  });
  handle.pragma('wal_checkpoint(truncate)');
  expect((await stage.check({ limits: { walBytes: 10_000, freeBytes: 10_000 } })).get('space')).toMatchObject(
    {
      state: 'warning',
      finding: expect.stringContaining('are unused'),
      fix: expect.stringContaining('vacuum'),
    },
  );
  handle.exec('vacuum');
  handle.pragma('wal_checkpoint(truncate)');
  handle.close();
  expect((await stage.check({ limits: { walBytes: 10_000, freeBytes: 10_000 } })).get('space')?.state).toBe(
    'ok',
  );
});

test('the check of erased rows finds a file that no worker has rewritten for an hour', async () => {
  const stage = await createFilledStage();
  const HOUR_MS = 3_600_000;
  await stage.run(`update ph_rewrite set since = ${Date.now() - HOUR_MS / 2}`);
  expect((await stage.check()).get('erased-rows')?.state).toBe('ok');
  await stage.run(`update ph_rewrite set since = ${Date.now() - 2 * HOUR_MS}`);
  expect((await stage.check()).get('erased-rows')).toMatchObject({
    state: 'warning',
    finding: expect.stringContaining('erased 2 hours ago'),
    fix: expect.stringContaining('Start a worker'),
  });
});

test.each([
  ['18.20.0', 'failed'],
  ['20.18.3', 'failed'],
  ['20.19.0', 'ok'],
  ['21.7.0', 'warning'],
  ['22.11.0', 'warning'],
  ['22.12.0', 'ok'],
  ['26.0.0', 'ok'],
])('the check of Node finds that %s is %s', async (nodeVersion, state) => {
  const { checks } = await runDoctor({ database: 'missing.sqlite', nodeVersion });
  expect(checks.find(({ name }) => name === 'node')).toMatchObject({ state });
});

test('the check of packages finds different releases', async () => {
  const versions = { '@partner-hiring/core': '0.1.0', '@partner-hiring/sqlite': '0.2.0' };
  const checked = async (context: object) => {
    const { checks } = await runDoctor({ database: 'missing.sqlite', ...context });
    return checks.find(({ name }) => name === 'packages');
  };
  expect(await checked({ versions })).toMatchObject({
    state: 'failed',
    finding: expect.stringContaining('@partner-hiring/sqlite 0.2.0'),
    fix: expect.stringContaining('npm install'),
  });
  expect(await checked({ versions: { ...versions, '@partner-hiring/sqlite': null } })).toMatchObject({
    state: 'skipped',
  });
  expect(await checked({})).toMatchObject({ state: 'ok', finding: expect.stringMatching(/\d+\.\d+\.\d+/) });
});
