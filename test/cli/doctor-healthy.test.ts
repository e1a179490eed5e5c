import { statSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { DATABASE_CHECKS } from '../../packages/cli/src/doctor/check-list.js';
import { doctorExitCode, doctorText, runDoctor } from '../../packages/cli/src/index.js';
import { startPostgresServer } from '../support/postgres/server.js';
import { createEmptyStage, type DoctorStage, fillStage, IS_POSTGRES, SEALING_KEY } from './doctor-stage.js';

/** The shared server of the tests does not wait for the disk, so a healthy database needs a server of its own. */
async function createHealthyStage(): Promise<DoctorStage> {
  if (!IS_POSTGRES) return createEmptyStage();
  const server = await startPostgresServer();
  // Registered first, so that it runs last.
  onTestFinished(() => server.stop());
  return createEmptyStage(server.url);
}

test('a healthy database passes every check, and the doctor changes nothing', async () => {
  const stage = await createHealthyStage();
  await fillStage(stage);
  const before = await stage.rows('select * from ph_application');
  const report = await runDoctor({ database: stage.database, secretKey: SEALING_KEY });

  const notOk = report.checks.filter(({ state }) => state !== 'ok');
  expect(notOk).toEqual([]);
  const kind = IS_POSTGRES ? 'postgres' : 'sqlite';
  const expected = DATABASE_CHECKS.filter(({ on }) => on === 'both' || on === kind).map(({ name }) => name);
  expect(report.checks.map(({ name }) => name)).toEqual(['node', 'packages', 'database', ...expected]);
  expect(report.checks.length).toBeGreaterThanOrEqual(12);
  expect([doctorExitCode(report), doctorExitCode(report, { strict: true })]).toEqual([0, 0]);
  expect(doctorText(report)).toContain(
    `${report.checks.length} checks: ${report.checks.length} ok, 0 warnings`,
  );
  expect(await stage.rows('select * from ph_application')).toEqual(before);
});

test('an empty database fails the check of its tables, and the doctor creates none', async () => {
  const stage = createEmptyStage();
  if (!IS_POSTGRES) await stage.run('create table mine (id text)');
  const results = await stage.check();
  expect(results.get('database')?.state).toBe('ok');
  expect(results.get('tables')).toMatchObject({ state: 'failed', fix: expect.stringContaining('migrate') });
  expect(results.get('schema-version')).toMatchObject({
    state: 'skipped',
    finding: expect.stringContaining('`tables`'),
  });
  expect(results.get('storage')?.state).toBe('skipped');
  const tables = IS_POSTGRES
    ? await stage.rows(`select 1 from pg_namespace where nspname = '${schemaOf(stage)}'`)
    : await stage.rows("select 1 from sqlite_schema where name like 'ph%'");
  expect(tables).toEqual([]);
  if (stage.database.kind === 'sqlite') expect(statSync(stage.database.file).isFile()).toBe(true);
});

function schemaOf({ database }: DoctorStage): string {
  return database.kind === 'postgres' ? (database.schema ?? '') : '';
}

test('says which check is off where a proxy resolves names', async () => {
  const { database } = createEmptyStage();
  const proxyOf = async (proxyResolves?: boolean) =>
    (await runDoctor({ database, proxyResolves })).checks.find(({ name }) => name === 'proxy');
  expect(await proxyOf(true)).toMatchObject({
    state: 'warning',
    finding: expect.stringContaining('check of the addresses that names of partners lead to is off'),
    fix: expect.stringContaining("`proxy: { resolve: 'here' }`"),
  });
  expect(await proxyOf()).toBeUndefined();
});
