/** Plays the page about your own transactions, on PostgreSQL and on SQLite. */
import { join } from 'node:path';
import type { ApplicationId, PartnerHiring } from '@partner-hiring/core';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished } from 'vitest';
import { exported, partnerHiringOf } from './exported.js';
import { apply, letIn } from './host.js';
import { createDatabase, onPostgres, PARTNER_HIRING_SEALING_KEY, runSql } from './on-postgres.js';
import { tell } from './tell.js';

const BASE = 'http://localhost/api/v1/external';

tell('docs/transactions.md', async (open) => {
  const DATABASE_URL = await createDatabase();
  await runSql(DATABASE_URL, 'create table payroll_entry (application_id text primary key)');
  const page = open({ env: { DATABASE_URL, PARTNER_HIRING_SEALING_KEY } });

  const withPg = exported<Hire>(await page.play(), 'hire');
  const postgres = await onPostgres(page);
  const id = await hireable(postgres);
  const payroll = () => runSql(DATABASE_URL, 'select application_id from payroll_entry');
  await withPg(id);
  expect(await payroll()).toEqual([{ application_id: id }]);
  expect(await postgres.operator.applications.find({ id })).toMatchObject({ status: 'accepted' });
  await expect(withPg('ej_app_none' as ApplicationId)).rejects.toThrow('ej_app_none');
  expect(await payroll()).toEqual([{ application_id: id }]);
  // A lost connection rejects with the first error.
  await runSql(DATABASE_URL, LOSE_CONNECTIONS);
  await expect(withPg('ej_app_lost' as ApplicationId)).rejects.toThrow('terminating connection');
  await runSql(DATABASE_URL, 'drop trigger lose on payroll_entry');

  // Prisma is not installed here: `npm run test:orms` runs its adapter.
  exported<Hire>(await page.play(), 'hire');
  const withSequelize = exported<Hire>(await page.play(), 'hire');
  const accepted = await hireAgain(postgres);
  await withSequelize(accepted);
  expect(await postgres.operator.applications.find({ id: accepted })).toMatchObject({ status: 'accepted' });
  expect(await payroll()).toContainEqual({ application_id: accepted });

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
  const partner = await operator.partners.create({ name: 'Another ATS' });
  const { key, secret } = await operator.keys.issue({ partnerId: partner.id, environment: 'production' });
  await operator.access.grant({ keyId: key.id, companyId: 'co_bistro' });
  return evaluated(partnerHiring, secret);
}

async function evaluated<HostTx>(
  partnerHiring: PartnerHiring<HostTx>,
  secret: string,
): Promise<ApplicationId> {
  const id = await apply(BASE, secret, { send: partnerHiring.fetch });
  await partnerHiring.operator.applications.move({ id });
  return id;
}
