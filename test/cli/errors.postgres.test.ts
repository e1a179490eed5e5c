import { createPostgresStorage } from '@partner-hiring/postgres';
import { createTestSchema, postgresUrl } from '@partner-hiring/test-support/postgres/database';
import { expect, onTestFinished, test } from 'vitest';
import { NEXT_RELEASE } from './next-release.js';
import { type CliRun, runCli } from './run-cli.js';

const PASSWORD = 'hunter2-pass#word';

/** The database of this run, with some parts of its URL replaced. */
function changed(parts: Partial<Pick<URL, 'username' | 'hostname' | 'port' | 'pathname'>>): string {
  const url = new URL(postgresUrl());
  url.password = encodeURIComponent(PASSWORD);
  return Object.assign(url, parts).href;
}

/** Expects one line without the password, also with `--debug`. */
async function expectFailure(words: readonly string[], expected: RegExp, exitCode = 1): Promise<void> {
  const run = await runCli(words);
  expect(run.stderr).toMatch(expected);
  expect(run.stderr).not.toContain('\n');
  expect({ code: run.code, stdout: run.stdout }).toEqual({ code: exitCode, stdout: '' });
  const debugged = await runCli([...words, '--debug']);
  expect(debugged.stderr).toMatch(/^\s+at /m);
  for (const { stderr } of [run, debugged] satisfies readonly CliRun[]) {
    for (const part of ['hunter2', 'pass#word', 'pass%23word']) expect(stderr).not.toContain(part);
  }
}

test('an unreachable server is explained', async () => {
  const url = changed({ hostname: '127.0.0.1', port: '1' });
  await expectFailure(
    ['jobs', '--database', url],
    /^Cannot connect to the PostgreSQL database "postgres" at 127\.0\.0\.1:1: no server listens there \(ECONNREFUSED\)\. Check the host and the port in --database/,
  );
  await expectFailure(
    ['jobs', '--database', changed({ hostname: 'database.invalid' })],
    /at database\.invalid:\d+: the host database\.invalid was not found \(\w+\)\. Check the host in --database/,
  );
});

test('a refused login is explained', async () => {
  await expectFailure(
    ['jobs', '--database', changed({ username: 'nobody_at_all' })],
    /: the server refuses the user "nobody_at_all" or the pass\S+\. Correct both in --database\. Characters/,
  );
});

test('a database that does not exist is explained', async () => {
  const url = new URL(postgresUrl());
  url.pathname = '/no_such_database';
  const { code, stderr } = await runCli(['jobs', '--database', url.href]);
  expect(stderr).toMatch(
    /: there is no database "no_such_database"\. Correct the name at the end of --database/,
  );
  expect(code).toBe(1);
});

test('a schema without tables is explained, and gets none', async () => {
  const { connectionString, schema, run, drop } = createTestSchema();
  onTestFinished(drop);
  const { code, stdout, stderr } = await runCli(['jobs', '--database', connectionString, '--schema', schema]);
  expect(stderr).toBe(
    `The schema "${schema}" has no tables of the partner API. If they are in another schema, pass --schema. ` +
      'To create them, run: partner-hiring migrate',
  );
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(await run('select from pg_namespace where nspname = $1', [schema])).toEqual([]);
});

test('a schema that lacks a migration is explained, and is not migrated', async () => {
  const { connectionString, schema, run, drop } = createTestSchema();
  onTestFinished(drop);
  await (await createPostgresStorage({ connectionString, schema })).close();
  const table = `${schema}.ph_schema_migration`;
  const before = await run(`select count(*) from ${table}`);
  const words = ['jobs', '--database', connectionString, '--schema', schema];
  const { code, stderr } = await runCli(words, { packages: NEXT_RELEASE });
  expect(stderr).toMatch(/lacks migrations of this release\. Run: partner-hiring migrate\./);
  expect(code).toBe(1);
  expect(await run(`select count(*) from ${table}`)).toEqual(before);
});

test('a schema name that PostgreSQL reserves is refused', async () => {
  const { code, stderr } = await runCli(['jobs', '--database', postgresUrl(), '--schema', 'pg_mine']);
  expect(stderr).toContain('PostgreSQL reserves the name pg_mine.');
  expect(code).toBe(1);
});
