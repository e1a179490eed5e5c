import { existsSync } from 'node:fs';
import { listPostgresMigrations } from '@partner-hiring/postgres';
import { listSqliteMigrations } from '@partner-hiring/sqlite';
import { runScript } from '@partner-hiring/test-support/postgres/run-script';
import Sqlite from 'better-sqlite3';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { type MigrateMode, migrateText, runMigrate } from '../../packages/cli/src/index.js';
import { migrateTo } from '../../packages/postgres/src/migrate-postgres.js';
import { postgresMigrations } from '../../packages/postgres/src/migrations.js';
import { createMigrationTarget, sqliteMigrations } from '../../packages/sqlite/src/migrations.js';
import { migrate } from '../../packages/storage-kysely/src/migrate.js';
import { createEmptyStage, type DoctorStage, fillStage, IS_POSTGRES } from './doctor-stage.js';

const all = IS_POSTGRES ? listPostgresMigrations() : listSqliteMigrations();

const run = ({ database }: DoctorStage, mode: MigrateMode) => runMigrate({ database, mode });

/** Applies the first migrations, as an older release did. */
async function migrateToVersion({ database }: DoctorStage, version: number): Promise<void> {
  if (database.kind === 'postgres') {
    const { connectionString, schema = '' } = database;
    await migrateTo(postgresMigrations().slice(0, version), { connectionString, schema });
    return;
  }
  const handle = new Sqlite(database.file);
  handle.exec('begin immediate');
  await migrate(createMigrationTarget(handle), sqliteMigrations().slice(0, version), Date.now());
  handle.exec('commit');
  handle.close();
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
  expect(results.get('schema-drift')).toMatchObject({ state: 'ok' });
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
  await migrateToVersion(stage, 2);
  const text = migrateText(await run(stage, 'dry-run'));
  if (!IS_POSTGRES) {
    expect(text).toContain('writers wait until all steps are committed');
    return;
  }
  expect(text).toMatch(/^0003 {2}inbox +locks {3}creates ph_inbox_switch; .*changes ph_alert: its readers/m);
  expect(text).toMatch(/^0004 {2}operations +online {2}creates ph_operation; creates ph_operation_input$/m);
  expect(text).toMatch(
    /^0007 {2}oldest_pending_delivery +online {2}builds ph_delivery_oldest: ph_delivery can be read and written meanwhile$/m,
  );
  expect(text).toMatch(/^0015 {2}drop_source +online {2}drops ph_application_source/m);
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
