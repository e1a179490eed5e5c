import { execFile } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import { RUN_AS_NPM_DOES, RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { describe, expect, test } from 'vitest';
import { type Ended, runSource } from '../examples/run-program.js';

const CLI = 'packages/cli/src/cli.ts';
const UNSET = { DATABASE_URL: '', PARTNER_HIRING_DATABASE: '', PARTNER_HIRING_SEALING_KEY: '' };

async function migratedFile(): Promise<string> {
  const file = join(temporaryFolder(), 'partner-hiring.sqlite');
  await (await createSqliteStorage({ file })).close();
  return file;
}

function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  execArgv = RUN_BUNDLED,
): Promise<Ended> {
  return runSource(CLI, args, { ...UNSET, ...env }, execArgv);
}

describe('the program', { timeout: 120_000 }, () => {
  test('runs from its source, and finds the database by each name', async () => {
    const file = await migratedFile();
    const added = await run(['--database', file, 'partners', 'create', 'Acme ATS'], {}, RUN_AS_NPM_DOES);
    expect(added).toMatchObject({ code: 0, stderr: '' });
    const { stdout: listed } = await run(['partners', '--json'], { DATABASE_URL: file });
    expect(JSON.parse(listed)).toMatchObject({ items: [{ name: 'Acme ATS' }] });
    const both = { DATABASE_URL: '/none.sqlite', PARTNER_HIRING_DATABASE: file };
    expect((await run(['partners'], both)).stdout).toContain('Acme ATS');
  });

  test('exits with 0 for help and version, 1 for a failure, and 2 for invalid usage', async () => {
    const runs = [['--help'], ['--version'], ['jobs', '--database', '/none.sqlite'], ['jbos']];
    const ended = await Promise.all(runs.map((args) => run(args)));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 1, 2]);
    expect(ended.map(({ stdout, stderr }) => stdout !== '' && stderr === '')).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(ended[1]?.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(ended[3]?.stderr).toMatch(/^Unknown command "jbos"\. .*Help: partner-hiring --help\n$/);
  });

  test('prints warnings of the database only with --debug', async () => {
    const file = await migratedFile();
    await chmod(file, 0o644);
    expect((await run(['partners', '--database', file])).stderr).toBe('');
    const debugged = await run(['partners', '--database', file, '--debug']);
    expect(debugged.stderr).toMatch(/^Warning: Other users of this machine can read .*\n$/);
    expect(debugged.code).toBe(0);
  });

  test('completes even if its output is not read', async () => {
    const file = await migratedFile();
    const command = [process.execPath, ...RUN_BUNDLED, CLI, '--database', file].join("' '");
    const cwd = fileURLToPath(new URL('../../', import.meta.url));
    const script = `'${command}' partners create Globex | true; echo "\${PIPESTATUS[0]}"`;
    const unread = await promisify(execFile)('bash', ['-c', script], { cwd });
    expect(unread).toEqual({ stdout: '0\n', stderr: '' });
    expect((await run(['partners', '--database', file])).stdout).toContain('Globex');
  });
});
