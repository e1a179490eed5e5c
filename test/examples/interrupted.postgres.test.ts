import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readdir } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';

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

test('an example that is interrupted while its PostgreSQL is made gives it up, and leaves none', {
  timeout: CHILDREN_MS,
}, async () => {
  const TMPDIR = temporaryFolder();
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
