/** The commands `doctor` and `migrate` of the program, on both storages. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { expect, test } from 'vitest';
import { type DoctorReport, runDoctor } from '../../packages/cli/src/index.js';
import {
  createEmptyStage,
  createFilledStage,
  type DoctorStage,
  fillStage,
  IS_POSTGRES,
  SEALING_KEY,
} from './doctor-stage.js';
import { type CliRun, runCli } from './run-cli.js';

function run({ database }: DoctorStage, ...words: readonly string[]): Promise<CliRun> {
  const connection =
    database.kind === 'sqlite'
      ? ['--database', database.file]
      : ['--database', database.connectionString, '--schema', database.schema ?? ''];
  return runCli([...connection, ...words], { env: { PARTNER_HIRING_SEALING_KEY: SEALING_KEY } });
}

/** The shared server of the tests does not wait for the disk, and the doctor says so. */
const NEVER_WAITS = IS_POSTGRES ? ['durability'] : [];

function namesOf({ checks }: DoctorReport, state: string): readonly string[] {
  return checks.filter((check) => check.state === state).map(({ name }) => name);
}

test('doctor prints a line for each check, and exits with 1 if one failed', async () => {
  const stage = await createFilledStage();
  const fine = await run(stage, 'doctor');
  expect(fine.stderr).toBe('');
  expect(fine.code).toBe(NEVER_WAITS.length);
  expect(fine.stdout).toMatch(/^ok {7}sealing-key {2,}The sealing key opens .* 1 endpoint\.$/m);
  expect(fine.stdout).toMatch(/^\d+ checks: \d+ ok, 0 warnings, \d failed, 0 skipped\.$/m);

  await stage.run('drop index ph_application_newest');
  const failing = await run(stage, 'doctor');
  expect(failing.code).toBe(1);
  expect(failing.stdout).toMatch(/^failed {3}schema .*ph_application_newest of ph_application is missing/m);
  expect(failing.stdout).toMatch(/^ +Fix: If the change was not intended, undo it/m);
});

test('doctor --json prints the report', async () => {
  const stage = await createFilledStage();
  const { stdout } = await run(stage, 'doctor', '--json');
  const report = JSON.parse(stdout) as DoctorReport;
  expect(namesOf(report, 'failed')).toEqual(NEVER_WAITS);
  expect(namesOf(report, 'skipped')).toEqual([]);
  expect(report.checks[0]).toEqual({
    name: 'node',
    state: 'ok',
    finding: expect.stringContaining('Node'),
    fix: null,
  });
});

test('doctor --strict exits with 1 for a warning', async () => {
  const stage = await createFilledStage();
  expect((await run(stage, 'doctor', '--proxy-resolves')).code).toBe(NEVER_WAITS.length);
  const strict = await run(stage, 'doctor', '--proxy-resolves', '--strict');
  expect(strict.code).toBe(1);
  expect(strict.stdout).toMatch(/^warning {2}proxy /m);
});

test('doctor --strict exits with 1 if the sealing key was not tested', async () => {
  const stage = await createFilledStage();
  const { database } = stage;
  const schema = database.kind === 'sqlite' ? [] : ['--schema', database.schema ?? ''];
  const named = database.kind === 'sqlite' ? database.file : database.connectionString;
  const withoutKey = (...words: readonly string[]) =>
    runCli(['doctor', '--database', named, ...schema, ...words]);
  expect((await withoutKey()).code).toBe(NEVER_WAITS.length);
  for (const state of ['warning', 'skipped']) {
    const strict = await withoutKey('--strict');
    expect(strict.code).toBe(1);
    expect(strict.stdout).toMatch(new RegExp(`^${state} {2}sealing-key {2,}No sealing key was given`, 'm'));
    expect(strict.stdout).toContain('PARTNER_HIRING_SEALING_KEY');
    await stage.run('delete from ph_endpoint');
  }
  if (!IS_POSTGRES) expect((await run(stage, 'doctor', '--strict')).code).toBe(0);
});

test('doctor reads the sealing key from a file', async () => {
  const stage = await createFilledStage();
  const file = join(temporaryFolder(), 'sealing.key');
  writeFileSync(file, `${'ab'.repeat(31)}cd\n`, { mode: 0o600 });
  const { code, stdout } = await run(stage, 'doctor', '--sealing-key-file', file);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^failed {3}sealing-key .*does not open/m);
});

test('migrate creates the tables, and doctor then finds no drift', async () => {
  const stage = createEmptyStage();
  const missing = await run(stage, 'migrate', '--dry-run');
  expect(missing).toMatchObject({ code: 0, stderr: '' });
  expect(missing.stdout).toMatch(/: 1 migration missing\.\n0001 {2}tables_[0-9a-f]{8} /);
  expect((await run(stage, 'migrate')).stdout).toMatch(/: applied 1 migration\.\n/);
  expect((await run(stage, 'migrate')).stdout).toMatch(/: no migration is missing\.$/);
  expect((await run(stage, 'doctor')).stdout).toMatch(/^ok {7}schema /m);
});

test('migrate --check exits with 1 if the tables are not as the migrations create them', async () => {
  const stage = createEmptyStage();
  expect((await run(stage, 'migrate', '--check')).code).toBe(1);
  await fillStage(stage);
  const fine = await run(stage, 'migrate', '--check');
  expect(fine).toMatchObject({ code: 0, stderr: '' });
  expect(fine.stdout).toMatch(/^ok {7}schema {2,}Tables, columns/m);
  expect(fine.stdout).not.toMatch(/sealing-key|worker/);
  await stage.run('drop index ph_application_newest');
  const failing = await run(stage, 'migrate', '--check');
  expect(failing.code).toBe(1);
  expect(failing.stdout).toMatch(/^failed {3}schema .*ph_application_newest of ph_application is missing/m);
});

test('doctor --skip leaves out each check that it names, and shows that', async () => {
  const stage = await createFilledStage();
  await stage.run('drop index ph_application_newest');
  const { code, stdout } = await run(stage, 'doctor', '--skip', 'schema');
  expect(code).toBe(NEVER_WAITS.length);
  expect(stdout).toMatch(/^skipped {2}schema +Left out by its name\.$/m);
  const all = NEVER_WAITS.flatMap((name) => ['--skip', name]);
  const strict = await run(stage, 'doctor', '--strict', '--skip', 'schema', '--skip=deployment', ...all);
  expect(strict.stdout).toMatch(/^skipped {2}deployment +Left out by its name\.$/m);
  expect(strict).toMatchObject({ code: 0, stderr: '' });
  const database = await run(stage, 'doctor', '--skip', 'database');
  expect(database.stdout).toMatch(/^skipped {2}tables +Not checked, because the check `database`/m);
  const unknown = await run(stage, 'doctor', '--skip', 'schema', '--skip', 'everything-else');
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toMatch(/--skip must be .*node, .*pooler, .*schema, .*sealing-key/);
  await expect(runDoctor({ database: ':memory:', skip: ['worker'] })).rejects.toThrow(
    /^`skip` may name only: node, packages, .*schema/,
  );
});

test('migrate --sql prints a script', async () => {
  const stage = createEmptyStage();
  const words = IS_POSTGRES ? ['--grant-to', 'hiring_app'] : [];
  const { code, stdout, stderr } = await run(stage, 'migrate', '--sql', ...words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/create table ph_application[\s\S]*insert into ph_schema_migration[\s\S]*commit;/);
  if (IS_POSTGRES) expect(stdout).toContain('to "hiring_app";');
});

test.each([
  [['--dry-run', '--sql'], 'not both'],
  [['--grant-to', 'app'], '--grant-to needs --sql'],
  [['--check', '--sql'], 'Pass --check without'],
])('migrate refuses %j', async (words, says) => {
  const { code, stdout, stderr } = await run(createEmptyStage(), 'migrate', ...words);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(says);
});

test('migrate explains in one line why it cannot migrate', async () => {
  const stage = createEmptyStage();
  await (await stage.open()).close();
  await stage.run("insert into ph_schema_migration values (999, 'from_the_future', 0, null)");
  const { code, stdout, stderr } = await run(stage, 'migrate');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^MISCONFIGURED: The database has migration 999 \(from_the_future\)/);
  expect(stderr).not.toContain('\n');
});
