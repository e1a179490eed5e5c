/** Plays the pages on PostgreSQL, each in its own database. */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Storage } from '@partner-hiring/core';
import { createPostgresStorage, type WorkListener } from '@partner-hiring/postgres';
import { createAuthority } from '@partner-hiring/test-support/network/self-signed';
import { postgresUrl } from '@partner-hiring/test-support/postgres/database';
import Sqlite from 'better-sqlite3';
import type { Client, Pool } from 'pg';
import { expect, onTestFinished } from 'vitest';
import { exported, partnerHiringOf } from './exported.js';
import { apply, letIn } from './host.js';
import { runNodeTests } from './node-tests.js';
import { createDatabase, onPostgres, PARTNER_HIRING_SEALING_KEY, runSql } from './on-postgres.js';
import { tell } from './tell.js';

const BASE = 'http://localhost/api/v1/external';

tell('docs/postgres.md', async (open) => {
  const role = `docs_${randomBytes(4).toString('hex')}`;
  await runSql(postgresUrl(), `create role ${role}`);
  // Registered before the databases, so that it runs after they and their grants are gone.
  onTestFinished(async () => void (await runSql(postgresUrl(), `drop role ${role}`)));
  const DATABASE_URL = await createDatabase();
  const page = open({ filling: { hiring_app: role }, env: { DATABASE_URL, PARTNER_HIRING_SEALING_KEY } });
  await page.run();
  await page.play();
  const partnerHiring = await onPostgres(page);
  expect((await partnerHiring.operator.keys.list()).items).toEqual([]);

  writeFileSync(join(page.folder, 'ca.pem'), (await createAuthority()).cert);
  await expect(page.play()).rejects.toThrow('the server has no TLS, but the connection requires it');

  await page.play();
  const empty = await createDatabase();
  await runSql(empty, readFileSync(join(page.folder, 'partner-hiring.sql'), 'utf8'));
  const tables = "select count(*)::int from information_schema.tables where table_schema = 'partner_hiring'";
  expect(await runSql(empty, tables)).toEqual(await runSql(DATABASE_URL, tables));
  const granted = `select has_table_privilege('${role}', 'partner_hiring.ph_job', 'insert') as granted`;
  expect(await runSql(empty, granted)).toEqual([{ granted: true }]);

  const atOnce = await page.play();
  const storage = exported<Storage<unknown>>(atOnce, 'storage');
  const listener = exported<WorkListener>(atOnce, 'listener');
  const listening =
    "select count(*)::int from pg_stat_activity where application_name = 'partner-hiring listener'";
  const here = `${listening} and datname = current_database()`;
  await expect.poll(() => runSql(DATABASE_URL, here)).toEqual([{ count: 1 }]);
  await listener.close();
  expect(await runSql(DATABASE_URL, here)).toEqual([{ count: 0 }]);
  await storage.close();
});

tell('docs/cells.md', async (open) => {
  const DATABASE_URL = await createDatabase();
  const schemas = ['ph_1', 'ph_2', 'ph_3'];
  const before = await createPostgresStorage({ connectionString: DATABASE_URL, schemas });
  await before.direct.partners.add({ id: 'ptn_acme', name: 'Acme ATS', createdAt: 0 });
  await before.close();
  const page = open({ env: { DATABASE_URL, PARTNER_HIRING_SEALING_KEY } });
  const exports = await page.play();
  onTestFinished(() => exported<Pool>(exports, 'pool').end());
  const partnerHiring = await partnerHiringOf<Client>(page, 'on-cells.ts');
  const { secret } = await letIn(partnerHiring);
  await apply(BASE, secret, { send: partnerHiring.fetch });
  expect(await page.run()).toContain('ph_3 is open.');
  const printed = await page.run();
  expect(printed).toContain('Moved from ph_3 to ph_2: 3 rows.');
  expect(printed).toMatch(/^ph_1 \(home\) +open/m);
});

tell('docs/inbox.md', async (open) => {
  const page = open({ env: { PARTNER_HIRING_SEALING_KEY } });
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

  const waiting = await apply(BASE, secret, { send: onSqlite.fetch });
  await page.play();
  await partnerHiringOf(page);
  expect(page.printed()).toContain(waiting);
  expect((await onSqlite.operator.system.status()).inbox).toMatchObject({ unread: 0 });
});

tell('docs/testing.md', async (open) => {
  const page = open();
  await page.run();
  const programs = [page.next('ts'), page.next('ts'), page.next('ts')];
  expect(await runNodeTests(page, programs)).toBe(programs.length);
});
