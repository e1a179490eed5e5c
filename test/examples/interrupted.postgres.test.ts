import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createTestSchema } from '../support/postgres-database.js';
import { RUN_BUNDLED } from '../support/programs/run-options.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CHILDREN_MS = 60_000;
const LOOK_MS = 10;

test('replicas that are interrupted while they start leave nothing in the database', {
  timeout: CHILDREN_MS,
}, async () => {
  const { connectionString, run, schema } = createTestSchema();
  // Of its own, for schemas are named by chance.
  const url = new URL(connectionString);
  url.pathname = schema;
  await run(`create database ${schema}`);
  onTestFinished(async () => void (await run(`drop database ${schema} with (force)`)));
  const made = () =>
    createTestSchema(url.href).run("select nspname from pg_namespace where nspname like 'replicas\\_%'");

  const env = { ...process.env, DATABASE_URL: url.href };
  const command = [...RUN_BUNDLED, '--disable-warning=MISCONFIGURED', 'examples/replicas/main.ts'];
  // In a group, all of which gets what Ctrl-C sends.
  const replicas = spawn(process.execPath, command, { cwd: ROOT, env, detached: true });
  onTestFinished(() => void replicas.kill('SIGKILL'));
  const ended = once(replicas, 'close');
  let complaint = '';
  replicas.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  while (replicas.exitCode === null && (await made()).length === 0) await setTimeout(LOOK_MS);
  process.kill(-Number(replicas.pid), 'SIGINT');

  expect(await ended).toEqual([1, null]);
  expect(complaint).toBe('✗ Interrupted by SIGINT\n');
  expect(await made()).toEqual([]);
});
