/** The doctor creates tables to compare with, beside the traffic of a server. */
import { openPostgresReader, type PostgresReader } from '@partner-hiring/postgres';
import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { startPostgresServer } from '@partner-hiring/test-support/postgres/server';
import { HASTY } from '@partner-hiring/test-support/postgres/setup';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { doctorExitCode, runDoctor } from '../../packages/cli/src/index.js';
import { createEmptyStage, type DoctorStage, fillStage, SEALING_KEY } from './doctor-stage.js';
import { runCli } from './run-cli.js';

/** A server of its own, because a test revokes a right of all roles. */
const server = await startPostgresServer(HASTY);
afterAll(() => server.stop());

function openReader(): PostgresReader {
  const reader = openPostgresReader({ connectionString: server.url, timeoutMs: 30_000 });
  onTestFinished(() => reader.close());
  return reader;
}

function listTables({ rows }: PostgresReader) {
  return rows(
    `select n.nspname::text as schema, c.relname::text as name from pg_namespace n left join pg_class c on n.oid = c.relnamespace
     where n.nspname not in ('pg_catalog', 'pg_toast', 'information_schema') order by 1, 2`,
  );
}

test('while the new tables are there, requests, migrations and the building of an index go on', async () => {
  const stage = createEmptyStage(server.url);
  const other = createEmptyStage(server.url);
  await fillStage(stage);
  const { readNewTables } = openReader();
  const locks = await readNewTables(async (rows) => {
    const held = await rows(
      `select c.relname::text as name, l.mode from pg_locks l join pg_class c on c.oid = l.relation
         join pg_namespace n on n.oid = c.relnamespace
       where l.pid = pg_backend_pid() and not starts_with(n.nspname::text, 'pg_')`,
    );
    await fillStage(stage);
    await stage.runAlone(
      `create index concurrently mine on ${schemaOf(stage)}.ph_application (submitted_at)`,
    );
    await (await other.open()).close();
    expect(await rows("select 1 from pg_locks where locktype = 'advisory'")).toEqual([]);
    return held;
  });
  expect(locks).toEqual([]);
});

test('the new tables are gone if the connection is killed while they are there', async () => {
  const reader = openReader();
  const before = await listTables(reader);
  const killed = reader.readNewTables(async (rows) => {
    const [own] = await rows('select pg_backend_pid() as pid');
    const [there] = await rows(
      'select count(*)::int as count from pg_class where relnamespace = pg_my_temp_schema()',
    );
    expect(there?.count).toBeGreaterThan(100);
    await openReader().rows(`select pg_terminate_backend(${String(own?.pid)})`);
    return rows('select 1');
  });
  await expect(killed).rejects.toThrow();
  await expect.poll(() => listTables(reader)).toEqual(before);
});

test('the new tables are gone after an error of the reading', async () => {
  const reader = openReader();
  const before = await listTables(reader);
  const broken = reader.readNewTables((rows) => rows('select 1 / 0'));
  await expect(broken).rejects.toThrow();
  expect(await listTables(reader)).toEqual(before);
});

test('the role of the processes compares the schema; without the right, the check is skipped with the grant', async () => {
  const stage = createEmptyStage(server.url);
  const owner = createTestSchema(server.url);
  const role = `role_${owner.schema}`;
  await owner.run(`create role ${role} login password 'secret'`);
  onTestFinished(async () => void (await owner.run(`drop owned by ${role}; drop role ${role}`)));
  const schema = schemaOf(stage);
  const at = ['--database', server.url, '--schema', schema];
  const { stdout } = await runCli(['migrate', '--sql', '--grant-to', role, ...at]);
  await stage.runAlone(stdout);
  await fillStage(stage, 'never');

  const url = new URL(server.url);
  Object.assign(url, { username: role, password: 'secret' });
  const check = async (...skip: readonly string[]) => {
    const report = await runDoctor({ database: url.href, schema, secretKey: SEALING_KEY, skip });
    const [found] = report.checks.filter(({ name }) => name === 'schema');
    // The server of the test does not wait for the disk.
    const rest = { checks: report.checks.filter(({ name }) => name !== 'durability') };
    return { found, code: doctorExitCode(rest), strict: doctorExitCode(rest, { strict: true }) };
  };
  expect(await check()).toMatchObject({ found: { state: 'ok' }, code: 0, strict: 0 });

  const [database] = await owner.run('select quote_ident(current_database()) as name');
  await owner.run(`revoke temporary on database ${String(database?.name)} from public`);
  const refused = await check();
  expect(refused).toMatchObject({ found: { state: 'skipped' }, code: 0, strict: 1 });
  expect(refused.found?.finding).toBe(
    `Not compared, because the role ${role} may not create temporary tables.`,
  );
  expect(await check('schema')).toMatchObject({
    found: { state: 'skipped', isAsked: true },
    code: 0,
    strict: 0,
  });
  // The role that migrates still compares.
  expect((await runCli(['migrate', '--check', ...at])).code).toBe(0);

  const [grant = ''] = (refused.found?.fix ?? '').split('\n');
  expect(grant).toBe(`grant temporary on database ${String(database?.name)} to ${role};`);
  await owner.run(grant);
  expect(await check()).toMatchObject({ found: { state: 'ok' }, strict: 0 });
});

function schemaOf({ database }: DoctorStage): string {
  return database.kind === 'postgres' ? (database.schema ?? '') : '';
}
