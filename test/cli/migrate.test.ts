import { existsSync } from 'node:fs';
import { OLD_NAME } from '@partner-hiring/test-support/made-migrations';
import { runScript } from '@partner-hiring/test-support/postgres/schemas';
import { Client } from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { type MigrateMode, migrateText, runMigrate } from '../../packages/cli/src/index.js';
import { migrateTo } from '../../packages/postgres/src/migrate-postgres.js';
import { migrateFileTo } from '../../packages/sqlite/src/migrate-sqlite.js';
import { createEmptyStage, type DoctorStage, fillStage, IS_POSTGRES } from './doctor-stage.js';
import { installNextRelease, ON_POSTGRES, ON_SQLITE } from './next-release.js';
import { runCli } from './run-cli.js';

beforeEach(installNextRelease);
const all = IS_POSTGRES ? ON_POSTGRES : ON_SQLITE;

const run = ({ database }: DoctorStage, mode: MigrateMode) => runMigrate({ database, mode });

/** Applies the first migrations, as an older release did. */
async function migrateToVersion({ database }: DoctorStage, version: number): Promise<void> {
  if (database.kind === 'postgres') {
    const { connectionString, schema = '' } = database;
    await migrateTo(ON_POSTGRES.slice(0, version), { connectionString, schema });
    return;
  }
  await migrateFileTo(ON_SQLITE.slice(0, version), { file: database.file });
}

/** Runs a script as an administrator does: with psql, or with sqlite3 -bail. */
async function runAsAdministrator(stage: DoctorStage, script: string): Promise<void> {
  if (stage.database.kind === 'sqlite') return stage.runAlone(script);
  const client = new Client({ connectionString: stage.database.connectionString });
  await client.connect();
  try {
    await runScript((sql) => client.query(sql), script);
  } finally {
    await client.end();
  }
}

/** Opens the storage, and writes with it. */
async function expectUsable(stage: DoctorStage): Promise<void> {
  const { applicationId } = await fillStage(stage, 'never');
  expect(applicationId).toMatch(/^ej_app_/);
  const results = await stage.check();
  expect(results.get('schema-version')?.state).toBe('ok');
}

test('applies all migrations once', async () => {
  const stage = createEmptyStage();
  const first = await run(stage, 'apply');
  expect(first.steps.map(({ version }) => version)).toEqual(all.map(({ version }) => version));
  expect(migrateText(first)).toContain(`applied ${all.length} migrations`);
  const second = await run(stage, 'apply');
  expect(second.steps).toEqual([]);
  expect(migrateText(second)).toContain('no migration is missing');
  await expectUsable(stage);
});

test('a dry run lists the steps and changes nothing', async () => {
  const stage = createEmptyStage();
  const plan = await run(stage, 'dry-run');
  expect(plan.steps).toHaveLength(all.length);
  expect(migrateText(plan)).toContain(`${all.length} migrations missing`);
  expect((await run(stage, 'dry-run')).steps).toHaveLength(all.length);
  if (stage.database.kind === 'sqlite') expect(existsSync(stage.database.file)).toBe(false);
});

test('a dry run on tables in use says what each step locks', async () => {
  const stage = createEmptyStage();
  await migrateToVersion(stage, 1);
  const text = migrateText(await run(stage, 'dry-run'));
  if (!IS_POSTGRES) {
    expect(text).toContain('writers wait until all steps are committed');
    return;
  }
  expect(text).toMatch(/^0002 {2}add_column +locks {3}changes ph_application: its readers and writers wait/m);
  expect(text).toMatch(
    /^0003 {2}add_index +online {2}builds ph_application_newer: ph_application can be read and written meanwhile$/m,
  );
  expect(text).toMatch(/^0004 {2}drop_index +online {2}drops ph_application_newer/m);
  expect(text).toMatch(/^0005 {2}add_table +online {2}creates ph_note$/m);
  expect(text).toMatch(/^0006 {2}fill_undecided +online {2}writes rows of ph_application$/m);
  expect(text).not.toContain('runs `');
});

test.each(['0', '1', '3', 'all but one'])(
  'the SQL for a database with %s migrations gives tables that the library accepts',
  async (given) => {
    const version = given === 'all but one' ? all.length - 1 : Number(given);
    const stage = createEmptyStage();
    if (version > 0) await migrateToVersion(stage, version);
    const { sql, steps } = await run(stage, 'sql');
    expect(steps.map((step) => step.version)).toEqual(all.slice(version).map((step) => step.version));
    await runAsAdministrator(stage, sql ?? '');

    const recorded = await stage.rows(
      'select version, name, oldest_compatible from ph_schema_migration order by version',
    );
    expect(recorded).toEqual(
      all.map(({ version: number, name, oldestCompatible }) => ({
        version: number,
        name,
        oldest_compatible: oldestCompatible,
      })),
    );
    expect((await run(stage, 'dry-run')).steps).toEqual([]);
    expect((await run(stage, 'sql')).sql).toBe('-- No migration is missing.\n');
    await expectUsable(stage);
  },
);

test('the doctor names the first migration that a database lacks', async () => {
  const stage = createEmptyStage();
  await migrateToVersion(stage, 3);
  const results = await stage.check();
  expect(results.get('schema-version')).toMatchObject({
    state: 'failed',
    finding: 'The tables lack 4 migrations of this release, from 4 (drop_index) on.',
    fix: expect.stringContaining('partner-hiring migrate'),
  });
  for (const name of ['schema', 'storage']) expect(results.get(name)?.state).toBe('skipped');
});

test('the SQL is refused by a database that already has it', async () => {
  const stage = createEmptyStage();
  const { sql } = await run(stage, 'sql');
  await runAsAdministrator(stage, sql ?? '');
  await expect(runAsAdministrator(stage, sql ?? '')).rejects.toThrow(/already exists/);
  await expectUsable(stage);
});

test('each mode refuses the database of a newer, incompatible release', async () => {
  const stage = createEmptyStage();
  await (await stage.open()).close();
  await stage.run("insert into ph_schema_migration values (999, 'from_the_future', 0, null)");
  for (const mode of ['apply', 'dry-run', 'sql'] as const) {
    await expect(run(stage, mode)).rejects.toMatchObject({ code: 'MISCONFIGURED' });
  }
});

test('each mode, the doctor and the other commands refuse a database that was made before 0.1.0', async () => {
  const stage = createEmptyStage();
  await (await stage.open()).close();
  await stage.run(`update ph_schema_migration set name = '${OLD_NAME}' where version = 1`);
  const { database } = stage;
  const isFile = database.kind === 'sqlite';
  const made = `This ${isFile ? 'file' : 'schema'} was made before 0.1.0.`;
  const fix = `${isFile ? 'Delete' : 'Drop'} it and start again: `;
  const place = isFile ? database.file : `"${database.schema}"`;
  for (const mode of ['apply', 'dry-run', 'sql'] as const) {
    await expect(run(stage, mode)).rejects.toMatchObject({ message: `${made} ${fix}${place}` });
  }
  const words = isFile ? [database.file] : [database.connectionString, '--schema', database.schema ?? ''];
  for (const command of ['migrate', 'jobs']) {
    const { code, stdout, stderr } = await runCli([command, '--database', ...words]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(`MISCONFIGURED: ${made} ${fix}${place}`);
  }
  const results = await stage.check();
  expect(results.get('schema-version')).toMatchObject({
    state: 'failed',
    finding: made,
    fix: fix + (isFile ? database.file : database.schema),
  });
  expect(results.get('schema')?.state).toBe('skipped');
});
