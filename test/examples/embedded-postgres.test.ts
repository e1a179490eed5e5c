import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { expect, test, vi } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const SOON_MS = 10_000;

/** Runs a program with the embedded PostgreSQL at hand. */
function run(program: string) {
  const imports =
    "const { startEmbeddedPostgres } = await import('./examples/database/embedded-postgres.ts');";
  const args = ['--import', 'tsx', '--input-type=module', '--eval', `${imports} ${program}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  return { status, stdout: stdout.trim(), stderr };
}

test('a process that fails ends with its own exit code, whether it has started a server or not', () => {
  expect(run('process.exitCode = 3;')).toEqual({ status: 3, stdout: '', stderr: '' });
  const stopped = 'await (await startEmbeddedPostgres()).stop(); process.exitCode = 4;';
  expect(run(stopped)).toEqual({ status: 4, stdout: '', stderr: '' });
});

test('a server does not outlive the process that started it', async () => {
  const started = run('const { url } = await startEmbeddedPostgres(); console.log(url); process.exit(5);');
  expect(started).toMatchObject({ status: 5, stderr: '' });
  await vi.waitFor(async () => {
    const client = new Client({ connectionString: started.stdout });
    await expect(client.connect()).rejects.toThrow('ECONNREFUSED');
  }, SOON_MS);
});
