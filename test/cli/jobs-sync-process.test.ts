/** `jobs sync` in a process of its own, whose standard input breaks or hangs. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import { expect, onTestFinished, test, vi } from 'vitest';
import { lineOf } from './job-files.js';
import { openServer } from './open-server.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CLI = 'packages/cli/src/cli.ts';

/** A server with two jobs of a source, and the words that run `jobs sync` on its database. */
async function openStage() {
  const { partnerHiring, connection } = await openServer();
  const { jobs } = partnerHiring.operator;
  await jobs.syncs.run([lineOf({ id: 'job_1' }), lineOf({ id: 'job_2' })].map((line) => JSON.parse(line)));
  const command = [process.execPath, ...RUN_BUNDLED, CLI, ...connection, 'jobs', 'sync'];
  const stateOf = async (id: 'job_1' | 'job_2') => (await jobs.find({ id }))?.state;
  return { jobs, command, stateOf };
}

/** Runs a script of bash, which runs `jobs sync` as `"$@"`. */
async function runBash(script: string, command: readonly string[]) {
  const env = { ...process.env, ROW: lineOf({ id: 'job_1', title: 'Waiter' }) };
  const ran = promisify(execFile)('bash', ['-c', script, 'sync', ...command], { cwd: ROOT, env });
  const { code, stdout, stderr } = (await ran.catch((error: unknown) => error)) as {
    readonly code?: number;
    readonly stdout: string;
    readonly stderr: string;
  };
  return { code: code ?? 0, stdout, stderr };
}

test('a writer that dies in the middle of a row fails the run, which closes nothing', async () => {
  const { jobs, command, stateOf } = await openStage();
  const dying = `{ printf '%s\\n{"id":"job_2","ti' "$ROW"; kill -KILL $BASHPID; } | "$@"`;
  expect(await runBash(dying, command)).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'The input ends in the middle of line 2, so no missing job was closed. Run the command again with the whole input.\n',
  });
  expect(await stateOf('job_2')).toBe('open');
  expect((await jobs.syncs.last()).operation).toMatchObject({ state: 'failed', sync: { closed: 0 } });

  const whole = await runBash(`printf '%s\\n' "$ROW" | "$@"`, command);
  expect(whole).toMatchObject({ code: 0, stderr: '' });
  expect(whole.stdout).toMatch(/^0 added, 1 updated, 0 reopened, 1 closed, 0 unchanged, 0 refused\. /);
});

test('a standard input that is a folder is refused before a run begins', async () => {
  const { jobs, command, stateOf } = await openStage();
  const before = (await jobs.syncs.last()).operation;
  expect(await runBash('"$@" < .', command)).toEqual({
    code: 2,
    stdout: '',
    stderr: 'The standard input is a folder. Pass a file of jobs.\n',
  });
  expect(await stateOf('job_2')).toBe('open');
  expect((await jobs.syncs.last()).operation).toEqual(before);
});

test.each([
  ['SIGINT', []],
  ['SIGTERM', ['--file', '-']],
] as const)('%s stops a run whose input hangs, and records it as stopped', async (signal, options) => {
  const { jobs, command, stateOf } = await openStage();
  const before = (await jobs.syncs.last()).operation?.id;
  const [program = '', ...args] = command;
  const child = spawn(program, [...args, ...options], { cwd: ROOT, stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close');
  child.stdin.write(`${lineOf({ id: 'job_1' })}\n`);
  await vi.waitFor(
    async () => {
      const { operation } = await jobs.syncs.last();
      expect(operation?.id).not.toBe(before);
      expect(operation?.state).toBe('running');
    },
    { timeout: 60_000, interval: 50 },
  );
  child.kill(signal);
  expect(await ended).toEqual([1, null]);
  const { operation } = await jobs.syncs.last();
  expect(operation).toMatchObject({ state: 'stopped', sync: { closed: 0 } });
  expect(stderr).toBe(
    `Stopped: changes until now stand. The next run reads its input from the start. Operation: ${operation?.id}.\n`,
  );
  expect(await stateOf('job_2')).toBe('open');
});
