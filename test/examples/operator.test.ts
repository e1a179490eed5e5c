import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runProgram } from './run-program.js';
import { seededDatabase } from './seeded-database.js';
import { temporaryFolder } from './temporary-folder.js';

const CHILDREN_MS = 60_000;

describe('the operator command', { timeout: CHILDREN_MS }, () => {
  test('shows tables, changes things, and shows the change', async () => {
    const { env } = await seededDatabase();
    const before = await runProgram('server/operator.ts', ['jobs', 'list', '--company', 'co_harbor'], env);
    expect(before.stdout).toMatch(/^ID +TITLE +COMPANY +STATE/);
    expect(before.stdout).toMatch(/^job_harbor_picker +Warehouse picker, nights +co_harbor +open /m);

    const closed = await runProgram('server/operator.ts', ['jobs', 'close', 'job_harbor_picker'], env);
    expect(closed).toMatchObject({ code: 0, stderr: '' });
    expect(closed.stdout).toContain('is now closed');

    const after = await runProgram('server/operator.ts', ['jobs', '--state', 'closed'], env);
    expect(after.stdout).toContain('job_harbor_picker');
  });

  test('prints JSON for programs, never a secret', async () => {
    const { env, seeded } = await seededDatabase();
    const { stdout } = await runProgram('server/operator.ts', ['keys', '--json'], env);
    expect(JSON.parse(stdout)).toMatchObject([
      { key: { id: seeded.production.key.id, world: 'production' }, secrets: [{ state: 'current' }] },
      { key: { world: 'sandbox' } },
    ]);
    expect(stdout).not.toContain(seeded.production.secret);
  });

  test('says what could not be done and exits with 1, without a stack', async () => {
    const { env } = await seededDatabase();
    const ended = await runProgram('server/operator.ts', ['jobs', 'close', 'job_unknown'], env);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/^JOB_NOT_FOUND: .*job_unknown/);
    expect(ended.stderr).not.toMatch(/^\s+at /m);
  });

  test('says what it did not understand and exits with 2', async () => {
    const ended = await runProgram('server/operator.ts', ['jobs', 'clsoe', 'job_x'], {});
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('"clsoe" is none of list, publish, close');
  });

  test('names the fix where there is no database yet, and makes none', async () => {
    const DATABASE_FILE = join(await temporaryFolder(), 'none.sqlite');
    const ended = await runProgram('server/operator.ts', ['jobs'], { DATABASE_FILE });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain('npm start');
  });
});
