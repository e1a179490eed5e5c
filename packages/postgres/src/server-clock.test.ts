import { createPartnerHiring } from '@partner-hiring/core';
import { send, submission, WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import type { TestSchema } from '@partner-hiring/test-support/postgres/database';
import { leaveSchema, takeSchema } from '@partner-hiring/test-support/postgres/schemas';
import { createRecordingTransport } from '@partner-hiring/test-support/transport';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { KEY_ID, sampleSecret, seed } from '../../../test/conformance/suite/storage/samples.js';
import { createSystemRuntime } from '../../core/src/defaults/system-runtime.js';
import { DAY_MS, SECOND_MS } from '../../core/src/domain/time.js';
import { createPostgresStorage } from './create-postgres-storage.js';

let database: TestSchema;
let client: Client;
beforeEach(async () => {
  database = takeSchema();
  client = new Client({ connectionString: database.connectionString });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await leaveSchema(database);
});

async function serverNow(): Promise<number> {
  const sql = 'select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as at';
  const { rows } = await client.query<{ at: number }>(sql);
  return rows[0]?.at ?? -1;
}

const open = () =>
  createPostgresStorage({ connectionString: database.connectionString, schema: database.schema });

async function expectServerTime(ask: () => Promise<number>): Promise<void> {
  const before = await serverNow();
  const at = await ask();
  expect(at).toBeGreaterThanOrEqual(before);
  expect(at).toBeLessThanOrEqual(await serverNow());
}

it.each([-365 * DAY_MS, 0, 365 * DAY_MS])(
  "returns the server's time if the process is %i ms off",
  async (ms) => {
    const { now } = Date;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + ms);
    const storage = await open();
    await seed(storage.direct);
    await storage.direct.keys.addSecret(sampleSecret('hash-1', { keyId: KEY_ID }));
    const { time, keys } = storage.direct;
    await expectServerTime(() => time.now());
    await expectServerTime(async () => (await keys.findByHashes(['hash-1']))[0]?.readAt ?? -1);
    await client.query('begin');
    await client.query('select pg_sleep(0.05)');
    await expectServerTime(() => storage.within(client).time.now());
    await client.query('commit');
    await storage.close();
  },
);

it.each([-DAY_MS, DAY_MS])(
  "dates replies and events with the server's time if the process is %i ms off",
  async (ms) => {
    const system = createSystemRuntime();
    const clock = { ...system.clock, now: () => system.clock.now() + ms };
    const transport = createRecordingTransport();
    const api = createPartnerHiring({
      storage: await open(),
      secretKey: '0123456789abcdef'.repeat(4),
      transport,
      runtime: { ...system, clock },
    });
    const { partners, companies, keys, access, jobs } = api.operator;
    const { id: partnerId } = await partners.create({ name: 'Acme ATS' });
    const { key, secret } = await keys.issue({
      partnerId,
      environment: 'production',
      endpointUrl: 'https://ats.example.org/webhooks',
    });
    const { id: companyId } = await companies.create({ name: 'Initech', environment: 'production' });
    await access.grant({ keyId: key.id, companyId });
    const job = await jobs.publish({ companyId, ...WAREHOUSE_JOB });
    const authorization = `Bearer ${secret}`;
    const environment = { partnerHiring: api };
    const reply = await send(environment, 'POST', '/applications', {
      body: JSON.stringify(submission(job.id)),
      headers: {
        authorization,
        'content-type': 'application/json',
        'idempotency-key': '0b6e9f6e-6a5f-4b52-9d3c-1f0a2d3c4b5a',
      },
    });
    expect(reply.status).toBe(201);
    await api.worker.drain();
    const [sent] = transport.attempts;
    const now = await serverNow();
    for (const at of [
      Date.parse(String(reply.json.createdAt)),
      Number(sent?.headers['X-Partner-Timestamp']) * SECOND_MS,
      Date.parse(transport.events()[0]?.createdAt ?? ''),
    ]) {
      expect(Math.abs(at - now)).toBeLessThan(10 * SECOND_MS);
    }
    await keys.rotate({ id: key.id, overlapMs: 0 });
    expect((await send(environment, 'GET', '/jobs', { headers: { authorization } })).status).toBe(401);
    await api.close();
  },
);
