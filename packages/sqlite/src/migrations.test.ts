import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeMigrations, OLD_NAME } from '@partner-hiring/test-support/made-migrations';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import Sqlite from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSqliteStorage } from './create-sqlite-storage.js';
import { migrateFileTo, migrateSqlite } from './migrate-sqlite.js';
import { sqliteMigrationSql } from './migration-sql.js';
import { sqliteMigrations } from './migrations.js';

const OPENER = fileURLToPath(new URL('../../../test/support/programs/open-sqlite.ts', import.meta.url));
/** Loading the program may take long on a slow machine. */
const CHILDREN_MS = 120_000;

describe('migrations', () => {
  let folder = '';
  let file = '';
  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder, 'test.db');
  });

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

  it('of a next release are applied after those of this one, which then still runs', async () => {
    await (await createSqliteStorage({ file })).close();
    const next = [...sqliteMigrations(), ...makeMigrations(sqliteMigrations(), 'sqlite')];
    expect(await migrateFileTo(next, { file, dryRun: true })).toEqual(next.slice(all.length));
    await migrateFileTo(next, { file });
    expect(appliedTo(file)).toEqual(next.map(({ version, name }) => ({ version, name })));
    await (await createSqliteStorage({ file, migrate: 'never' })).close();
  });

  it('refuse a file that was made before 0.1.0, with one sentence and without changing it', async () => {
    const handle = new Sqlite(file);
    handle.exec(`create table ph_schema_migration (version integer, name text);
      insert into ph_schema_migration values (1, '${OLD_NAME}'), (18, 'erased_counts')`);
    handle.close();
    const refusal = {
      code: 'MISCONFIGURED',
      message: `This file was made before 0.1.0. Delete it and start again: ${file}`,
    };
    for (const migrate of ['at_start', 'never'] as const) {
      await expect(createSqliteStorage({ file, migrate })).rejects.toMatchObject(refusal);
    }
    for (const dryRun of [true, false]) {
      await expect(migrateSqlite({ file, dryRun })).rejects.toMatchObject(refusal);
    }
    expect(() => sqliteMigrationSql({ file })).toThrow(refusal.message);
    expect(appliedTo(file)).toHaveLength(2);
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
