import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate } from '@partner-hiring/storage-kysely';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSqliteStorage } from './create-sqlite-storage.js';
import { createMigrationTarget, sqliteMigrations } from './migrations.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Loads the package, says so, and opens the file as soon as it is told to. */
const OPENER = `
  import { createSqliteStorage } from './packages/sqlite/src/index.ts';
  process.send('ready');
  process.once('message', async (file) => {
    const storage = await createSqliteStorage({ file });
    await storage.direct.partners.add({ id: 'ptn_' + process.pid, name: 'P', createdAt: 1 });
    await storage.close();
    process.disconnect();
  });
`;

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

  it('are numbered without a gap, and applied once each', async () => {
    expect(all.map(({ version }) => version)).toEqual(all.map((_, index) => index + 1));
    for (const _ of [1, 2]) await (await createSqliteStorage({ file })).close();
    expect(appliedTo(file)).toEqual(all);
  });

  it('run once when several processes start at the same moment on a new file', async () => {
    const children = Array.from({ length: 3 }, () =>
      spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', OPENER], {
        cwd: ROOT,
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      }),
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

  it('refuse a file that a newer version of the package has used, and leave it alone', async () => {
    await (await createSqliteStorage({ file })).close();
    const handle = new Sqlite(file);
    handle.exec("insert into ph_schema_migration values (999, 'from_the_future', 0, null)");
    handle.close();
    await expect(createSqliteStorage({ file })).rejects.toMatchObject({ code: 'MISCONFIGURED' });
    expect(appliedTo(file)).toEqual([...all, { version: 999, name: 'from_the_future' }]);
  });

  it('extend a file that an earlier build made, whose record has no word of compatibility', async () => {
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

  it('leave the host’s own tables in the same file alone', async () => {
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
