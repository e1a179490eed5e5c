import { createTestSchema, postgresUrl } from '@partner-hiring/test-support/postgres/database';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import { expect, test } from 'vitest';
import { runProgram } from './run-program.js';

/** The server of the tests does not wait for the disk, which the storage warns of. */
const WITHOUT_FSYNC = [...RUN_BUNDLED, '--disable-warning=MISCONFIGURED'];

const REPLICAS_MS = 150_000;

test('two APIs and two workers share the work, and restarts lose nothing', {
  timeout: REPLICAS_MS,
}, async () => {
  const env = { DATABASE_URL: postgresUrl() };
  const { code, stdout, stderr } = await runProgram('replicas/main.ts', [], env, WITHOUT_FSYNC);

  expect(stderr).toBe('');
  expect(stdout).toContain('the PostgreSQL that DATABASE_URL names');
  expect(stdout).toContain('201 with the same bytes from both, one as a replay');
  expect(stdout.match(/exit code 0; processes \d+, \d+ are now \d+, \d+/g)).toHaveLength(2);
  expect(stdout).toMatch(/\d+ candidates, all accepted/);
  expect(stdout).toContain('exit codes 0, 0, 0, 0');
  expect(code).toBe(0);

  const left = "select nspname from pg_namespace where nspname like 'replicas\\_%'";
  expect(await createTestSchema().run(left)).toEqual([]);
});
