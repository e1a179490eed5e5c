import { open, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { runProgram } from './run-program.js';
import { seededDatabase } from './seeded-database.js';

const CHILDREN_MS = 60_000;

describe('the operator command', { timeout: CHILDREN_MS }, () => {
  test('changes a job, prints the change, and prints tables', async () => {
    const { env } = await seededDatabase();
    const close = ['jobs', 'close', 'job_harbor_picker'];
    const closed = await runProgram('server/operator.ts', close, env);
    expect(closed).toMatchObject({ code: 0, stderr: '' });
    expect(closed.stdout).toContain('is now closed');

    const listed = await runProgram('server/operator.ts', ['jobs', 'list', '--company', 'co_harbor'], env);
    expect(listed.stdout).toMatch(/^ID +TITLE +COMPANY +NAME +STATE/);
    expect(listed.stdout).toMatch(/^job_harbor_picker +Warehouse picker, nights +co_harbor +.+ +closed /m);
  });

  test('prints only JSON to standard output, and logs to standard error', async () => {
    const { env, seeded } = await seededDatabase();
    const pause = ['endpoints', 'pause', seeded.production.key.id, '--json'];
    const { stdout, stderr } = await runProgram('server/operator.ts', pause, env);
    expect(JSON.parse(stdout)).toMatchObject({ changed: true });
    expect(stderr).toContain('The operator paused a webhook endpoint.');
  });

  test('explains how to create a missing database, and does not create it', async () => {
    const DATABASE_FILE = join(temporaryFolder(), 'none.sqlite');
    const ended = await runProgram('server/operator.ts', ['jobs'], { DATABASE_FILE });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain('npm start');
  });

  test('distinguishes an unreadable database from a missing one', async () => {
    const DATABASE_FILE = join(temporaryFolder(), 'example.sqlite');
    // What leads to itself fails for everybody; a folder that one may not enter would not for root.
    await symlink(DATABASE_FILE, DATABASE_FILE);
    const ended = await runProgram('server/operator.ts', ['jobs'], { DATABASE_FILE });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/^Cannot use the database .*ELOOP.*Set DATABASE_FILE/);
    expect(ended.stderr).not.toContain('does not exist. Start the server');
  });

  test('does not change the database of another program', async () => {
    const DATABASE_FILE = join(temporaryFolder(), 'foreign.sqlite');
    new Database(DATABASE_FILE).exec('create table mine (id integer)').close();
    const before = await readFile(DATABASE_FILE);
    const env = { DATABASE_FILE, PARTNER_HIRING_SEALING_KEY: '0123456789abcdef'.repeat(4) };
    const ended = await runProgram('server/operator.ts', ['jobs'], env);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/foreign\.sqlite has no tables of the partner API\. Set DATABASE_FILE/);
    expect(await readFile(DATABASE_FILE)).toEqual(before);
  });

  test('reports cause and fix if the database fails', async () => {
    const { env } = await seededDatabase();
    await damageTable(env.DATABASE_FILE, 'ph_partner');
    const ended = await runProgram('server/operator.ts', ['partners'], env);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/^Cannot use the database .* is malformed\)\. Restore it from a backup/);
    expect(ended.stderr).not.toMatch(/^\s+at /m);
  });
});

/** Overwrites the first page of a table, as a failing disk may. */
async function damageTable(file: string, table: string): Promise<void> {
  const database = new Database(file);
  const root = database.prepare('select rootpage from sqlite_schema where name = ?').pluck().get(table);
  const pageSize = database.pragma('page_size', { simple: true });
  database.close();
  const handle = await open(file, 'r+');
  await handle.write(
    Buffer.alloc(Number(pageSize), 0xff),
    0,
    Number(pageSize),
    (Number(root) - 1) * Number(pageSize),
  );
  await handle.close();
}
