import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { Client } from 'pg';
import { expect, test, vi } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const SOON_MS = 10_000;
/** A start that fails is tried again. */
const STARTS_MS = 120_000;

/** Runs a program with the embedded PostgreSQL at hand. */
function run(program: string, env: Readonly<Record<string, string>> = {}) {
  const imports =
    "const { startEmbeddedPostgres } = await import('./examples/platform/database/embedded-postgres.ts');";
  const args = ['--import', 'tsx', '--input-type=module', '--eval', `${imports} ${program}`];
  const options = { cwd: ROOT, env: { ...process.env, ...env }, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  return { status, stdout: stdout.trim(), stderr };
}

test('a process that fails ends with its own exit code, whether it has started a server or not', () => {
  expect(run('process.exitCode = 3;')).toEqual({ status: 3, stdout: '', stderr: '' });
  const stopped = 'await (await startEmbeddedPostgres()).stop(); process.exitCode = 4;';
  expect(run(stopped)).toEqual({ status: 4, stdout: '', stderr: '' });
});

test('a server does not outlive the process that started it', async () => {
  const TMPDIR = temporaryFolder();
  chmodSync(TMPDIR, 0o777);
  const started = run('const { url } = await startEmbeddedPostgres(); console.log(url); process.exit(5);', {
    TMPDIR,
  });
  expect(started).toMatchObject({ status: 5, stderr: '' });
  await vi.waitFor(async () => {
    const client = new Client({ connectionString: started.stdout });
    await expect(client.connect()).rejects.toThrow('ECONNREFUSED');
  }, SOON_MS);
});

test('a server that does not start says why', { timeout: STARTS_MS }, () => {
  const unfit =
    "await startEmbeddedPostgres({ shared_buffers: 'plenty' }).catch(({ message }) => console.log(message));";
  const ended = run(unfit);
  expect(ended).toMatchObject({ status: 0, stderr: '' });
  expect(ended.stdout).toContain('invalid value for parameter "shared_buffers": "plenty"');
});

test('a server that has ended by itself is cleared away, also below a folder with a long name', {
  timeout: STARTS_MS,
}, async () => {
  const TMPDIR = join(temporaryFolder(), 'l'.repeat(90));
  mkdirSync(TMPDIR);
  for (const folder of [TMPDIR, join(TMPDIR, '..')]) chmodSync(folder, 0o777);
  const crash = `
    const { isRunning, postmasterOf } = await import('./examples/platform/database/postmaster.ts');
    const server = await startEmbeddedPostgres();
    const pid = postmasterOf(server.dataFolder);
    process.kill(pid, 'SIGQUIT');
    while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
    await server.stop();
    process.exitCode = 6;`;
  expect(run(crash, { TMPDIR })).toEqual({ status: 6, stdout: '', stderr: '' });
  expect(readdirSync(TMPDIR).filter((name) => name.startsWith('partner-hiring-pg-'))).toEqual([]);
});
