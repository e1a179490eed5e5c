import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate } from '@partner-hiring/storage-kysely';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSqliteStorage } from './create-sqlite-storage.js';
import { createMigrationTarget, sqliteMigrations } from './migrations.js';

const OPENER = fileURLToPath(new URL('../../test-support/src/programs/open-sqlite.ts', import.meta.url));
/** Loading the program may take long on a slow machine. */
const CHILDREN_MS = 120_000;

describe('migrations', () => {
  let folder = '';
  let file = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ph-migrations-'));
    file = join(folder, 'test.db');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function appliedTo(path: string): unknown {
    const handle = new Sqlite(path);
    const applied = handle.prepare('select version, name from ph_schema_migration order by version').all();
    handle.close();
    return applied;
  }
  const all = sqliteMigrations().map(({ version, name }) => ({ version, name }));

  it('have consecutive numbers and are applied once', async () => {
    expect(all.map(({ version }) => version)).toEqual(all.map((_, index) => index + 1));
    for (const _ of [1, 2]) await (await createSqliteStorage({ file })).close();
    expect(appliedTo(file)).toEqual(all);
  });

  it('run once when several processes open a new file at the same time', {
    timeout: CHILDREN_MS,
  }, async () => {
    const children = Array.from({ length: 3 }, () =>
      spawn(process.execPath, [...RUN_BUNDLED, OPENER], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
    );
    const exits = children.map((child) => once(child, 'exit'));
    await Promise.all(children.map((child) => once(child, 'message')));
    for (const child of children) (child as ChildProcess).send(file);
    expect((await Promise.all(exits)).map(([code]) => code)).toEqual([0, 0, 0]);
    expect(appliedTo(file)).toEqual(all);
    const storage = await createSqliteStorage({ file });
    expect(await storage.direct.partners.list()).toHaveLength(3);
    await storage.close();
  });

  it('reject the file of a newer release without changing it', async () => {
    await (await createSqliteStorage({ file })).close();
    const handle = new Sqlite(file);
    handle.exec("insert into ph_schema_migration values (999, 'from_the_future', 0, null)");
    handle.close();
    await expect(createSqliteStorage({ file })).rejects.toMatchObject({ code: 'MISCONFIGURED' });
    expect(appliedTo(file)).toEqual([...all, { version: 999, name: 'from_the_future' }]);
  });

  it('add the compatibility column to the file of an earlier release', async () => {
    await (await createSqliteStorage({ file })).close();
    const handle = new Sqlite(file);
    handle.exec('alter table ph_schema_migration drop column oldest_compatible');
    await (await createSqliteStorage({ file })).close();

    const next = {
      version: all.length + 1,
      name: 'next',
      sql: 'alter table ph_job add column newer text',
      oldestCompatible: all.length,
      isConcurrent: false,
    };
    handle.exec('begin immediate');
    await migrate(createMigrationTarget(handle), [...sqliteMigrations(), next], 1);
    handle.exec('commit');
    handle.close();
    expect(appliedTo(file)).toEqual([...all, { version: next.version, name: 'next' }]);
    await (await createSqliteStorage({ file })).close();
  });

  it('do not change the host’s tables in the same file', async () => {
    writeFileSync(file, '', { mode: 0o600 });
    const handle = new Sqlite(file);
    handle.exec(
      "create table job (id text); create table company (id text); insert into job values ('mine')",
    );
    handle.close();
    await (await createSqliteStorage({ file })).close();
    const again = new Sqlite(file);
    expect(again.prepare('select id from job').all()).toEqual([{ id: 'mine' }]);
    again.close();
  });
});
