import { execFile } from 'node:child_process';
import { open, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { RUN_AS_NPM_DOES, RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { runProgram } from './run-program.js';
import { seededDatabase } from './seeded-database.js';
import { temporaryFolder } from './temporary-folder.js';

const CHILDREN_MS = 60_000;

describe('the operator command', { timeout: CHILDREN_MS }, () => {
  test('prints tables, changes a job, and prints the change', async () => {
    const { env } = await seededDatabase();
    const before = await runProgram('server/operator.ts', ['jobs', 'list', '--company', 'co_harbor'], env);
    expect(before.stdout).toMatch(/^ID +TITLE +COMPANY +NAME +STATE/);
    expect(before.stdout).toMatch(/^job_harbor_picker +Warehouse picker, nights +co_harbor +.+ +open /m);

    const close = ['jobs', 'close', 'job_harbor_picker'];
    const closed = await runProgram('server/operator.ts', close, env, RUN_AS_NPM_DOES);
    expect(closed).toMatchObject({ code: 0, stderr: '' });
    expect(closed.stdout).toContain('is now closed');

    const after = await runProgram('server/operator.ts', ['jobs', '--state', 'closed'], env);
    expect(after.stdout).toContain('job_harbor_picker');
  });

  test('prints JSON without secrets', async () => {
    const { env, seeded } = await seededDatabase();
    const { stdout } = await runProgram('server/operator.ts', ['keys', '--json'], env);
    expect(JSON.parse(stdout)).toMatchObject({
      keys: [
        { key: { id: seeded.production.key.id, environment: 'production' }, secrets: [{ state: 'current' }] },
        { key: { environment: 'sandbox' } },
      ],
    });
    expect(stdout).not.toContain(seeded.production.secret);
  });

  test('prints only JSON to standard output, and logs to standard error', async () => {
    const { env, seeded } = await seededDatabase();
    const pause = ['endpoints', 'pause', seeded.production.key.id, '--json'];
    const { stdout, stderr } = await runProgram('server/operator.ts', pause, env);
    expect(JSON.parse(stdout)).toMatchObject({ changed: true });
    expect(stderr).toContain('The operator paused a webhook endpoint.');
  });

  test('reports an error of the library without a stack, and exits with 1', async () => {
    const { env } = await seededDatabase();
    const ended = await runProgram('server/operator.ts', ['keys', 'rotate', 'key_unknown'], env);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toBe('KEY_NOT_FOUND: Key key_unknown does not exist. keys list shows all keys.\n');
    expect(ended.stderr).not.toMatch(/^\s+at /m);
  });

  test('completes even if its output is not read', async () => {
    const { env } = await seededDatabase();
    const command = [process.execPath, ...RUN_BUNDLED, 'examples/server/operator.ts'].join("' '");
    const unread = await bash(
      `'${command}' jobs close job_harbor_picker | true; echo "\${PIPESTATUS[0]}"`,
      env,
    );
    expect(unread).toEqual({ stdout: '0\n', stderr: '' });
  });

  test('reports an invalid command line and exits with 2', async () => {
    const ended = await runProgram('server/operator.ts', ['jobs', 'clsoe', 'job_x'], {});
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('Unknown command "clsoe". Use one of list, publish, close');
  });

  test('explains how to create a missing database, and does not create it', async () => {
    const DATABASE_FILE = join(await temporaryFolder(), 'none.sqlite');
    const ended = await runProgram('server/operator.ts', ['jobs'], { DATABASE_FILE });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain('npm start');
  });

  test('distinguishes an unreadable database from a missing one', async () => {
    const DATABASE_FILE = join(await temporaryFolder(), 'example.sqlite');
    // What leads to itself fails for everybody; a folder that one may not enter would not for root.
    await symlink(DATABASE_FILE, DATABASE_FILE);
    const ended = await runProgram('server/operator.ts', ['jobs'], { DATABASE_FILE });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/^Cannot use the database .*ELOOP.*Set DATABASE_FILE/);
    expect(ended.stderr).not.toContain('does not exist. Start the server');
  });

  test('reports that the database is a folder', async () => {
    const DATABASE_FILE = await temporaryFolder();
    const ended = await runProgram('server/operator.ts', ['jobs'], { DATABASE_FILE });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain(`${DATABASE_FILE} is a folder. Name a file in it, e.g. `);
  });

  test('does not change the database of another program', async () => {
    const DATABASE_FILE = join(await temporaryFolder(), 'foreign.sqlite');
    new Database(DATABASE_FILE).exec('create table mine (id integer)').close();
    const before = await readFile(DATABASE_FILE);
    const env = { DATABASE_FILE, SECRET_KEY: '0123456789abcdef'.repeat(4) };
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

  test('prints counts, sends a test delivery, redelivers and cancels', async () => {
    const { env, seeded } = await seededDatabase();
    const keyId = seeded.production.key.id;
    const operator = (...words: readonly string[]) => runProgram('server/operator.ts', words, env);

    const counts = await operator('deliveries');
    expect(counts.stdout).toMatch(/^KEY +PARTNER +DUE +IN FLIGHT +RETRYING +PAUSED +DEAD +OLDEST +EXACT/);
    expect(counts.stdout).toMatch(/^all +- +[1-9]/m);
    // The endpoint does not listen.
    const tested = await operator('endpoints', 'test', keyId, '--type', 'job.closed');
    expect(tested).toMatchObject({ code: 1, stderr: '' });
    expect(tested.stdout).toContain('"type":"job.closed"');
    expect(tested.stdout).toMatch(/Not accepted: connection_failed after \d+ ms\./);
    const health = await operator('endpoints', 'health', keyId);
    expect(health.stdout).toMatch(/ is active\.\n0 failures in a row/);

    const { stdout } = await operator('deliveries', 'list', '--key', keyId, '--limit', '1', '--json');
    const page = JSON.parse(stdout) as { deliveries: { eventId: string }[]; nextCursor: string };
    const [{ eventId } = { eventId: '' }] = page.deliveries;
    const next = await operator('deliveries', 'list', '--key', keyId, '--cursor', page.nextCursor);
    expect(next.stdout).toMatch(
      /^KEY +PARTNER +EVENT +TYPE +RECORDED +STATE +ATTEMPTS +NEXT +LAST OUTCOME +TOOK/,
    );
    expect(next.stdout).not.toContain(eventId);
    expect((await operator('deliveries', 'cancel', keyId, eventId)).stdout).toContain('Cancelled.');
    const shown = await operator('deliveries', 'show', keyId, eventId);
    expect(shown.stdout).toMatch(/^cancelled, 0 attempts in cycle 1$/m);
    expect((await operator('deliveries', 'redeliver', keyId, eventId)).stdout).toContain('Redelivering.');
    const replayed = await operator('deliveries', 'replay', keyId, '--since', '2026-01-01T00:00Z');
    expect(replayed).toMatchObject({ code: 0, stdout: 'Redelivering 0.\n' });
    expect((await operator('deliveries', 'attempts', keyId)).stdout).toContain('No recorded attempts');

    const hidden = async (...words: readonly string[]) => {
      const listed = await operator('deliveries', 'list', ...words);
      return / listed\. To list (\w+), use (.*)/.exec(listed.stdout)?.slice(1) ?? null;
    };
    expect(await hidden()).toEqual(['others', '--state delivered|dead|cancelled, or --key ID.']);
    expect(await hidden('--state', 'delivered')).toEqual(['them', '--key ID.']);
    expect(await hidden('--state', 'dead')).toBeNull();
    expect(await hidden('--key', keyId)).toBeNull();
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

function bash(script: string, env: Readonly<Record<string, string>>) {
  const cwd = fileURLToPath(new URL('../../', import.meta.url));
  return promisify(execFile)('bash', ['-c', script], { cwd, env: { ...process.env, ...env } });
}
