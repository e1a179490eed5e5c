/** Plays the pages on PostgreSQL, each in its own database. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PartnerHiring } from '@partner-hiring/core';
import type { ApplicationId, JobId, Storage } from '@partner-hiring/core/ports';
import { createPostgresStorage, type WorkListener } from '@partner-hiring/postgres';
import { postgresUrl } from '@partner-hiring/test-support/postgres/database';
import Sqlite from 'better-sqlite3';
import { Client, type Pool } from 'pg';
import { expect, onTestFinished } from 'vitest';
import { exported, partnerHiringOf } from './exported.js';
import { apply, letIn } from './host.js';
import { runNodeTests } from './node-tests.js';
import { type Page, tell } from './tell.js';

const PARTNER_HIRING_KEY = '0123456789abcdef'.repeat(4);
const BASE = 'http://localhost/api/v1/external';

async function run(connectionString: string, sql: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows ?? [];
  } finally {
    await client.end();
  }
}

/** Creates a database, and drops it after the test. */
async function createDatabase(): Promise<string> {
  const name = `docs_${randomBytes(4).toString('hex')}`;
  await run(postgresUrl(), `create database ${name}`);
  onTestFinished(async () => void (await run(postgresUrl(), `drop database ${name} with (force)`)));
  const url = new URL(postgresUrl());
  url.pathname = `/${name}`;
  return url.href;
}

/** Returns the partner API of `on-postgres.ts`. It is closed after the test. */
async function onPostgres(page: Page): Promise<PartnerHiring<Client>> {
  const exports = await page.load('on-postgres.ts');
  onTestFinished(() => exported<Pool>(exports, 'pool').end());
  return partnerHiringOf<Client>(page, 'on-postgres.ts');
}

tell('docs/postgres.md', async (open) => {
  const role = `docs_${randomBytes(4).toString('hex')}`;
  await run(postgresUrl(), `create role ${role}`);
  // Registered before the databases, so that it runs after they and their grants are gone.
  onTestFinished(async () => void (await run(postgresUrl(), `drop role ${role}`)));
  const DATABASE_URL = await createDatabase();
  const page = open({ filling: { hiring_app: role }, env: { DATABASE_URL, PARTNER_HIRING_KEY } });
  await page.run();
  await page.play();
  const partnerHiring = await onPostgres(page);
  expect((await partnerHiring.operator.keys.list()).keys).toEqual([]);

  await page.play();
  const empty = await createDatabase();
  await run(empty, readFileSync(join(page.folder, 'partner-hiring.sql'), 'utf8'));
  const tables = "select count(*)::int from information_schema.tables where table_schema = 'partner_hiring'";
  expect(await run(empty, tables)).toEqual(await run(DATABASE_URL, tables));
  const granted = `select has_table_privilege('${role}', 'partner_hiring.ph_job', 'insert') as granted`;
  expect(await run(empty, granted)).toEqual([{ granted: true }]);

  const atOnce = await page.play();
  const storage = exported<Storage<unknown>>(atOnce, 'storage');
  const listener = exported<WorkListener>(atOnce, 'listener');
  const listening = "select count(*)::int from pg_stat_activity where query ilike 'listen%'";
  const here = `${listening} and datname = current_database()`;
  await expect.poll(() => run(DATABASE_URL, here), { timeout: 10_000 }).toEqual([{ count: 1 }]);
  await listener.close();
  expect(await run(DATABASE_URL, here)).toEqual([{ count: 0 }]);
  await storage.close();
});

tell('docs/cells.md', async (open) => {
  const DATABASE_URL = await createDatabase();
  const schemas = ['ph_1', 'ph_2', 'ph_3'];
  const before = await createPostgresStorage({ connectionString: DATABASE_URL, schemas });
  await before.direct.partners.add({ id: 'ptn_acme', name: 'Acme ATS', createdAt: 0 });
  await before.close();
  const page = open({ env: { DATABASE_URL, PARTNER_HIRING_KEY } });
  const exports = await page.play();
  onTestFinished(() => exported<Pool>(exports, 'pool').end());
  const partnerHiring = await partnerHiringOf<Client>(page, 'on-cells.ts');
  const { secret } = await letIn(partnerHiring);
  await apply(BASE, secret, { send: partnerHiring.fetch });
  expect(await page.run()).toContain('ph_3 is open.');
  const printed = await page.run();
  expect(printed).toContain('Moved from ph_3 to ph_2: 1 rows.');
  expect(printed).toMatch(/^ph_1 \(home\) +open/m);
});

tell('docs/inbox.md', async (open) => {
  const DATABASE_URL = await createDatabase();
  await run(DATABASE_URL, 'create table candidate (id text primary key, name text)');
  const page = open({ env: { DATABASE_URL, PARTNER_HIRING_KEY } });
  const file = join(page.folder, 'partner-hiring.sqlite');
  const host = new Sqlite(file);
  onTestFinished(() => void host.close());
  host.exec('create table candidate (id text primary key, name text)');

  await page.play();
  const onSqlite = await partnerHiringOf(page, 'my-inbox.ts');
  const { secret } = await letIn(onSqlite);
  const id = await apply(BASE, secret, { send: onSqlite.fetch });
  await onSqlite.worker.drain();
  expect(host.prepare('select id from candidate').all()).toEqual([{ id }]);

  const inKysely = await page.play();
  onTestFinished(() => exported<Pool>(inKysely, 'pool').end());
  const onServer = await partnerHiringOf(page, 'my-kysely-inbox.ts');
  const there = await letIn(onServer);
  const other = await apply(BASE, there.secret, { send: onServer.fetch });
  await onServer.worker.drain();
  expect(await run(DATABASE_URL, 'select id from candidate')).toEqual([{ id: other }]);

  const waiting = await apply(BASE, secret, { send: onSqlite.fetch });
  await page.play();
  await partnerHiringOf(page);
  expect(page.printed()).toContain(waiting);
  expect(await onSqlite.operator.inbox.status()).toMatchObject({ unread: 0 });
});

tell('docs/transactions.md', async (open) => {
  const DATABASE_URL = await createDatabase();
  await run(DATABASE_URL, 'create table payroll_entry (application_id text primary key)');
  await run(DATABASE_URL, 'create table opening (id text primary key, is_open boolean not null)');
  await run(DATABASE_URL, "insert into opening values ('job_01k2f7', true)");
  const page = open({ env: { DATABASE_URL, PARTNER_HIRING_KEY } });

  const withPg = exported<Hire>(await page.play(), 'hire');
  const closeOpening = exported<(id: JobId) => Promise<void>>(await page.play(), 'closeOpening');
  const postgres = await onPostgres(page);
  const id = await hireable(postgres);
  const payroll = () => run(DATABASE_URL, 'select application_id from payroll_entry');
  await withPg(id);
  expect(await payroll()).toEqual([{ application_id: id }]);
  expect(await postgres.operator.applications.find({ id })).toMatchObject({ status: 'accepted' });
  await expect(withPg('ej_app_none' as ApplicationId)).rejects.toThrow('ej_app_none');
  expect(await payroll()).toEqual([{ application_id: id }]);
  // A lost connection rejects with the first error.
  await run(DATABASE_URL, LOSE_CONNECTIONS);
  await expect(withPg('ej_app_lost' as ApplicationId)).rejects.toThrow('terminating connection');
  await run(DATABASE_URL, 'drop trigger lose on payroll_entry');
  await closeOpening('job_01k2f7' as JobId);
  expect(await run(DATABASE_URL, 'select is_open from opening')).toEqual([{ is_open: false }]);
  expect(await postgres.operator.jobs.find({ id: 'job_01k2f7' as JobId })).toMatchObject({ state: 'closed' });

  // Prisma is not installed here: `npm run test:orms` runs its adapter.
  exported<Hire>(await page.play(), 'hire');
  for (const library of ['drizzle', 'knex', 'typeorm', 'postgres-js', 'sequelize']) {
    const hire = exported<Hire>(await page.play(), 'hire');
    const accepted = await hireAgain(postgres);
    await hire(accepted);
    expect(await postgres.operator.applications.find({ id: accepted }), library).toMatchObject({
      status: 'accepted',
    });
    expect(await payroll(), library).toContainEqual({ application_id: accepted });
  }
  onTestFinished(async () => {
    await exported<{ destroy(): Promise<void> }>(await page.load('my-knex.ts'), 'knex').destroy();
    await exported<{ destroy(): Promise<void> }>(await page.load('my-typeorm.ts'), 'dataSource').destroy();
    await exported<{ end(): Promise<void> }>(await page.load('my-postgres-js.ts'), 'sql').end();
  });

  const withSqlite = exported<Hire>(await page.play(), 'hire');
  const sqlite = await partnerHiringOf(page);
  const database = new Sqlite(join(page.folder, 'partner-hiring.sqlite'));
  onTestFinished(() => void database.close());
  const other = await hireable(sqlite);
  database.exec('create table my_candidate (application_id text primary key, hired integer not null)');
  database.prepare('insert into my_candidate values (?, 0)').run(other);
  await withSqlite(other);
  expect(database.prepare('select hired from my_candidate').all()).toEqual([{ hired: 1 }]);
  expect(await sqlite.operator.applications.find({ id: other })).toMatchObject({ status: 'accepted' });
  const unknown = 'ej_app_none' as ApplicationId;
  database.prepare('insert into my_candidate values (?, 0)').run(unknown);
  await expect(withSqlite(unknown)).rejects.toThrow(unknown);
  expect(database.prepare('select sum(hired) as hired from my_candidate').all()).toEqual([{ hired: 1 }]);
});

const LOSE_CONNECTIONS = `
  create function lose() returns trigger language plpgsql as
    'begin perform pg_terminate_backend(pg_backend_pid()); return new; end';
  create trigger lose before insert on payroll_entry for each row execute function lose()`;

type Hire = (id: ApplicationId) => Promise<void>;

/** Submits a candidate and begins the evaluation. */
async function hireable<HostTx>(partnerHiring: PartnerHiring<HostTx>): Promise<ApplicationId> {
  const { secret } = await letIn(partnerHiring);
  return evaluated(partnerHiring, secret);
}

/** Like `hireable`, once the company is registered. Each is another partner. */
async function hireAgain<HostTx>(partnerHiring: PartnerHiring<HostTx>): Promise<ApplicationId> {
  const { operator } = partnerHiring;
  await operator.jobs.reopen({ id: 'job_01k2f7' as JobId });
  const partner = await operator.partners.add({ name: 'Another ATS' });
  const { key, secret } = await operator.keys.issue({ partnerId: partner.id, environment: 'production' });
  await operator.access.grant({ keyId: key.id, companyId: 'co_bistro' });
  return evaluated(partnerHiring, secret);
}

async function evaluated<HostTx>(
  partnerHiring: PartnerHiring<HostTx>,
  secret: string,
): Promise<ApplicationId> {
  const id = await apply(BASE, secret, { send: partnerHiring.fetch });
  await partnerHiring.operator.applications.beginEvaluation({ id });
  return id;
}

tell('packages/postgres/README.md', async (open) => {
  const page = open({ env: { DATABASE_URL: await createDatabase(), PARTNER_HIRING_KEY } });
  await page.run();
  const partnerHiring = exported<PartnerHiring<Client>>(await page.play(), 'partnerHiring');
  onTestFinished(() => partnerHiring.close());
  const { secret } = await letIn(partnerHiring);
  const id = await apply(BASE, secret, { send: partnerHiring.fetch });
  expect(await partnerHiring.operator.applications.find({ id })).toMatchObject({ status: 'received' });
});

tell('docs/testing.md', async (open) => {
  const page = open();
  await page.run();
  const programs = [page.next('ts'), page.next('ts'), page.next('ts'), page.next('ts')];
  expect(await runNodeTests(page, programs, { TEST_DATABASE_URL: await createDatabase() })).toBe(
    programs.length,
  );
});
