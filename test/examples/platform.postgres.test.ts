import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { submission, WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../examples/platform/app.js';
import { inTransaction } from '../../examples/platform/in-transaction.js';
import { openPlatform } from '../../examples/platform/platform.js';

/** Enough for the news of it. */
const LOST_MS = 200;

async function openPlatformStage() {
  const { connectionString, run } = createTestSchema();
  const own = `platform_${randomBytes(4).toString('hex')}`;
  const partner = `${own}_partner_api`;
  const platform = await openPlatform(connectionString, { own, partner });
  onTestFinished(async () => {
    await platform.close();
    await run(`drop schema ${own}, ${partner} cascade`);
  });
  return { platform, run, schemas: [own, partner] };
}

test('an erased candidate is in none of the tables', async () => {
  const { platform, schemas } = await openPlatformStage();
  const { operator, fetch, worker } = platform.partnerHiring;
  const { id: partnerId } = await operator.partners.create({ name: 'Acme ATS' });
  const { key, secret } = await operator.keys.issue({ partnerId, environment: 'production' });
  const { id: companyId } = await operator.companies.create({ name: 'Depot', environment: 'production' });
  await operator.access.grant({ keyId: key.id, companyId });
  const { id: jobId, title } = await operator.jobs.publish({ ...WAREHOUSE_JOB, companyId });
  await platform.pool.query('insert into employer values ($1, $2)', [companyId, 'Depot']);
  await platform.pool.query('insert into opening values ($1, $2, $3)', [jobId, companyId, title]);
  const candidate = {
    firstName: 'Qzfirst',
    lastName: 'Qzlast',
    email: 'qz@mail.example',
    phone: '+14155550815',
  };
  const headers = { authorization: `Bearer ${secret}`, 'idempotency-key': randomUUID() };
  const body = JSON.stringify(submission(jobId, { candidate }));
  const url = 'http://localhost/api/v1/external/applications';
  const json = { 'content-type': 'application/json' };
  const reply = await fetch(new Request(url, { method: 'POST', headers: { ...headers, ...json }, body }));
  expect(reply.status).toBe(201);
  await worker.drain();
  async function readAll(): Promise<string> {
    const texts: string[] = [];
    for (const schema of schemas) {
      const tables = await platform.pool.query('select tablename from pg_tables where schemaname = $1', [
        schema,
      ]);
      for (const { tablename } of tables.rows) {
        const { rows } = await platform.pool.query(
          `select t::text as row from ${schema}."${tablename}" as t`,
        );
        texts.push(JSON.stringify(rows));
      }
    }
    return texts.join('\n').toLowerCase();
  }
  expect(await readAll()).toContain('qzfirst qzlast');
  await operator.candidates.erase({ email: 'QZ@mail.example', clearSourceApplicationId: true });
  await worker.drain();
  // Shorter texts occur in random ids.
  expect(await readAll()).not.toMatch(/qzfirst|qzlast|qz@mail|4155550815/);
});

test('a connection that is lost fails its transaction, and neither the process nor the next', async () => {
  const { platform, run } = await openPlatformStage();
  const lose = 'select pg_terminate_backend(pg_backend_pid())';

  await expect(inTransaction(platform.pool, (client) => client.query(lose))).rejects.toThrow('terminating');
  const { kysely } = platform;
  const withKysely = kysely.transaction().execute(async (trx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    await run('select pg_terminate_backend($1)', [rows[0]?.pid]);
    // Meanwhile nothing is asked of the connection.
    await setTimeout(LOST_MS);
    await sql`select 1`.execute(trx);
  });
  await expect(withKysely).rejects.toThrow('connection');
  const { rows } = await inTransaction(platform.pool, (client) => client.query('select 1 as one'));
  expect(rows).toEqual([{ one: 1 }]);
});

test('no route of the platform shows a candidate, or acts, without the token of its staff', async () => {
  const { platform } = await openPlatformStage();
  const token = randomBytes(32).toString('base64url');
  const app = createApp(platform, token);
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(async () => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const routes = app.router.stack.flatMap(({ route }) =>
    route === undefined ? [] : route.stack.map(({ method }) => ({ method, path: route.path })),
  );
  expect(routes).toHaveLength(4);
  for (const { method, path } of routes) {
    const call = async (headers: Readonly<Record<string, string>>) => {
      const url = `http://127.0.0.1:${port}${path.replace(':id', 'ej_app_none')}`;
      return (await fetch(url, { method: method.toUpperCase(), headers })).status;
    };
    for (const authorization of ['', 'Bearer', 'Bearer ', token, `Bearer ${token}0`, `Basic ${token}`]) {
      expect([path, authorization, await call({ authorization })]).toEqual([path, authorization, 401]);
    }
    expect([path, await call({ authorization: `Bearer ${token}` })]).not.toEqual([path, 401]);
  }
});
