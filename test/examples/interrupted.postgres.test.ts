import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readdir } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from './temporary-folder.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CHILDREN_MS = 60_000;
const LOOK_MS = 10;

/** Starts a program of the examples, in a group of its own, all of which gets what Ctrl-C sends. */
function startExample(program: string, env: Readonly<Record<string, string>>) {
  const command = [...RUN_BUNDLED, '--disable-warning=MISCONFIGURED', `examples/${program}`];
  const options = { cwd: ROOT, env: { ...process.env, ...env }, detached: true };
  const child = spawn(process.execPath, command, options);
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  return { child, said, ended: once(child, 'close') };
}

// A supervisor tells the program alone, which then has to stop what it is starting.
test.each([
  ['with all that it has started', -1],
  ['alone', 1],
])(
  'a program that is interrupted while its replicas start, %s, leaves nothing in the database',
  {
    timeout: CHILDREN_MS,
  },
  async (_how, sign) => {
    const { connectionString, run, schema } = createTestSchema();
    // Of its own, for schemas are named by chance.
    const url = new URL(connectionString);
    url.pathname = schema;
    await run(`create database ${schema}`);
    onTestFinished(async () => void (await run(`drop database ${schema} with (force)`)));
    const made = () =>
      createTestSchema(url.href).run("select nspname from pg_namespace where nspname like 'replicas\\_%'");

    const { child, said, ended } = startExample('replicas/main.ts', { DATABASE_URL: url.href });
    while (child.exitCode === null && (await made()).length === 0) await setTimeout(LOOK_MS);
    process.kill(sign * Number(child.pid), 'SIGINT');

    expect(await ended).toEqual([1, null]);
    expect(said.stderr).toBe('✗ Interrupted by SIGINT\n');
    expect(said.stdout).not.toContain('workers start on it');
    expect(await made()).toEqual([]);
  },
);

test('an example that is interrupted while its PostgreSQL is made gives it up, and leaves none', {
  timeout: CHILDREN_MS,
}, async () => {
  const TMPDIR = await temporaryFolder();
  // As root, PostgreSQL runs as another user.
  await chmod(TMPDIR, 0o777);
  const made = async () => (await readdir(TMPDIR)).filter((name) => name.startsWith('partner-hiring-pg-'));

  const { child, said, ended } = startExample('platform/main.ts', { DATABASE_URL: '', TMPDIR });
  while (child.exitCode === null && (await made()).length === 0) await setTimeout(LOOK_MS);
  process.kill(-Number(child.pid), 'SIGINT');

  expect(await ended).toEqual([1, null]);
  expect(said).toEqual({ stdout: '', stderr: '✗ Interrupted by SIGINT\n' });
  expect(await made()).toEqual([]);
});
