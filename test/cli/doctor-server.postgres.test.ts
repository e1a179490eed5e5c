/** The checks of a PostgreSQL server, each shown failing. */
import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { startPostgresServer } from '@partner-hiring/test-support/postgres/server';
import { HASTY } from '@partner-hiring/test-support/postgres/setup';
import { Client } from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { runDoctor } from '../../packages/cli/src/index.js';
import { addressOf, createRole, withUrl } from './doctor-on-postgres.js';
import { createEmptyStage, createFilledStage, type DoctorStage, fillStage } from './doctor-stage.js';

/** A server of its own: transactions of other tests would be found here, and would hold up the building of indexes. */
const server = await startPostgresServer(HASTY);
afterAll(() => server.stop());

async function stateOf(name: string, stage: DoctorStage, context: Parameters<DoctorStage['check']>[0] = {}) {
  return (await stage.check(context)).get(name);
}

test('the check of the public API finds tables that Supabase publishes, and its fix ends that', async () => {
  const stage = createEmptyStage(server.url);
  const { schema } = addressOf(stage);
  await stage.runAlone('create role anon');
  await stage.runAlone('create role authenticated');
  onTestFinished(() => stage.runAlone('drop role anon; drop role authenticated'));
  await stage.runAlone(`create schema ${schema}; grant usage on schema ${schema} to anon, authenticated;
    alter default privileges in schema ${schema} grant all on tables to anon, authenticated`);
  onTestFinished(() => stage.runAlone(`drop schema ${schema} cascade`));
  await fillStage(stage);
  const found = await stateOf('public-api', stage);
  expect(found).toMatchObject({
    state: 'failed',
    finding: expect.stringMatching(/roles anon, authenticated may use \d+ tables .*Supabase/),
    fix: expect.stringContaining('`partner_hiring`'),
  });
  await stage.runAlone((found?.fix ?? '').replace(/^.*\n/, ''));
  expect(await stateOf('public-api', stage)).toMatchObject({ state: 'ok' });

  await stage.run(
    'alter table ph_job enable row level security; alter table ph_job force row level security',
  );
  const { role, connectionString, run } = await createRole(server.url);
  await run(
    `grant usage on schema ${schema} to ${role}; grant all on all tables in schema ${schema} to ${role}`,
  );
  const { checks } = await runDoctor({ database: connectionString, schema });
  const rights = checks.find(({ name }) => name === 'rights');
  expect(rights).toMatchObject({
    state: 'warning',
    fix: expect.stringContaining(`alter role ${role} bypassrls`),
  });
  expect(rights?.fix).not.toContain('disable row level security');
});

test.each([
  ['default_transaction_read_only = on', 'server', /default_transaction_read_only/],
  ['synchronous_commit = off', 'durability', /synchronous_commit/],
])('a role with %s fails the check %s, and the fix mends it', async (setting, name, says) => {
  const { role, connectionString, run } = await createRole(server.url, [setting]);
  const found = async () =>
    (await runDoctor({ database: connectionString })).checks.find((check) => check.name === name);
  // The shared test server has fsync off, which the same check would report first.
  if (name === 'durability') {
    expect(await found()).toMatchObject({ state: 'failed' });
    return;
  }
  const failing = await found();
  expect(failing).toMatchObject({ state: 'failed', finding: expect.stringMatching(says) });
  expect(failing?.fix).toContain(role);
  await run(failing?.fix ?? '');
  expect(await found()).toMatchObject({ state: 'ok' });
});

test('fsync off fails the check of durability', async () => {
  const stage = createEmptyStage(server.url);
  expect(await stateOf('durability', stage)).toMatchObject({
    state: 'failed',
    finding: expect.stringContaining('fsync'),
    fix: expect.stringContaining('alter system set fsync = on'),
  });
});

test('a database with another encoding fails the check of the server', async () => {
  const { schema, run } = createTestSchema(server.url);
  await run(`create database ${schema} template template0 encoding 'LATIN1' lc_collate 'C' lc_ctype 'C'`);
  onTestFinished(async () => void (await run(`drop database ${schema} with (force)`)));
  const database = withUrl(server.url, (url) => {
    url.pathname = `/${schema}`;
  });
  const report = await runDoctor({ database });
  expect(report.checks.find(({ name }) => name === 'server')).toMatchObject({
    state: 'failed',
    finding: expect.stringContaining('LATIN1'),
  });
});

test.each([
  [5_000, 'warning', /5 seconds/],
  [10 * 60_000, 'failed', /10 minutes|9 minutes/],
  [0, 'ok', /agree/],
])('the check of the clocks finds a difference of %d ms: %s', async (ms, state, says) => {
  const stage = createEmptyStage(server.url);
  expect(await stateOf('clock', stage, { now: () => Date.now() - ms - (ms === 0 ? 0 : 500) })).toMatchObject({
    state,
    finding: expect.stringMatching(says),
  });
});

test('the check of connections warns and fails by the share in use', async () => {
  const stage = createEmptyStage(server.url);
  const states = [
    await stateOf('connections', stage),
    await stateOf('connections', stage, { limits: { connectionsWarning: 0 } }),
    await stateOf('connections', stage, { limits: { connectionsFailure: 0 } }),
  ];
  expect(states.map((found) => found?.state)).toEqual(['ok', 'warning', 'failed']);
  expect(states[2]?.fix).toContain('max_connections');
});

test('the check of transactions finds an idle one, with the statement that ends it', async () => {
  const stage = createEmptyStage(server.url);
  const idle = new Client({ connectionString: server.url, application_name: 'nightly report' });
  idle.on('error', () => {});
  await idle.connect();
  await idle.query('begin isolation level repeatable read; select 1');
  const limits = { transactionWarningMs: 20 };
  await new Promise((resolve) => setTimeout(resolve, 50));
  const warned = await stateOf('transactions', stage, { limits });
  expect(warned).toMatchObject({ state: 'warning', finding: expect.stringContaining('nightly report') });
  expect(
    await stateOf('transactions', stage, { limits: { ...limits, transactionFailureMs: 20 } }),
  ).toMatchObject({
    state: 'failed',
  });
  expect(warned?.finding).not.toContain('select 1');
  await stage.runAlone(warned?.fix ?? '');
  await idle.end().catch(() => {});
  expect((await stateOf('transactions', stage, { limits }))?.finding).not.toContain('nightly report');
});

test('the check of the tables names the schema that has them', async () => {
  const stage = await createFilledStage(server.url);
  const { connectionString, schema } = addressOf(stage);
  const report = await runDoctor({ database: connectionString, schema: `${schema}_typo` });
  expect(report.checks.find(({ name }) => name === 'tables')).toMatchObject({
    state: 'failed',
    finding: expect.stringContaining(schema),
    fix: expect.stringContaining('--schema'),
  });
});

test('the check of the tables finds them among those of many other schemas', async () => {
  const stage = await createFilledStage(server.url);
  const others = [1, 2, 3, 4, 5, 6].map((number) => `a_host_${number}`);
  onTestFinished(async () => {
    for (const other of others) await stage.runAlone(`drop schema ${other} cascade`);
  });
  for (const other of others) {
    await stage.runAlone(`create schema ${other}`);
    await stage.runAlone(`create table ${other}.ph_schema_migration (version integer)`);
  }
  expect(await stateOf('tables', stage)).toMatchObject({ state: 'ok' });
});

test('the check of rights finds what the role lacks, and its fix grants it', async () => {
  const stage = await createFilledStage(server.url);
  const { schema } = addressOf(stage);
  const { role, connectionString, run } = await createRole(server.url);
  const check = async () => {
    const { checks } = await runDoctor({ database: connectionString, schema });
    return new Map(checks.map((each) => [each.name, each]));
  };
  expect((await check()).get('rights')).toMatchObject({
    state: 'failed',
    finding: expect.stringContaining(`may not use the schema ${schema}`),
  });
  await run(
    `grant usage on schema ${schema} to ${role}; grant select on all tables in schema ${schema} to ${role}`,
  );
  const missing = (await check()).get('rights');
  expect(missing).toMatchObject({
    state: 'failed',
    finding: expect.stringMatching(/ph_access \(insert, update, delete\)/),
  });
  expect((await check()).get('schema-version')?.state).toBe('skipped');
  await run(missing?.fix ?? '');
  const mended = await check();
  expect(mended.get('rights')?.state).toBe('ok');
  expect(mended.get('schema')?.state).toBe('ok');

  await run(`alter table ${schema}.ph_job enable row level security`);
  expect((await check()).get('rights')).toMatchObject({
    state: 'warning',
    finding: expect.stringContaining('ph_job'),
    fix: expect.stringContaining('disable row level security'),
  });
});

test('the check of indexes finds one that a failed concurrent build left, and its fix builds it again', async () => {
  const stage = await createFilledStage(server.url);
  const { schema } = addressOf(stage);
  // Like an interrupted build: the index is there and not valid.
  await stage.runAlone(
    `update pg_index set indisvalid = false where indexrelid = '${schema}.ph_job_company_state'::regclass`,
  );
  const found = await stateOf('invalid-indexes', stage);
  expect(found).toMatchObject({ state: 'failed', finding: expect.stringContaining('ph_job_company_state') });
  await stage.runAlone(found?.fix ?? '');
  expect(await stateOf('invalid-indexes', stage)).toMatchObject({ state: 'ok' });
});

test.each([
  [-60_000, 'failed', /stopped before its end/],
  [60_000, 'warning', /under way/],
])('the check of the migration lease finds one that expires in %d ms: %s', async (ms, state, says) => {
  const stage = await createFilledStage(server.url);
  const { schema } = addressOf(stage);
  await stage.runAlone(
    `create table ${schema}.ph_migration_lease (id integer primary key, holder text, expires_at bigint)`,
  );
  expect(await stateOf('migration-lease', stage)).toMatchObject({ state: 'ok' });
  await stage.runAlone(`insert into ${schema}.ph_migration_lease values (1, 'a', ${Date.now() + ms})`);
  expect(await stateOf('migration-lease', stage)).toMatchObject({
    state,
    finding: expect.stringMatching(says),
  });
  // Only PostgreSQL has the table, and only after an upgrade, so it is no drift.
  expect(await stateOf('schema', stage)).toMatchObject({ state: 'ok' });
});
