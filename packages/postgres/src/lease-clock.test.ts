import type { Repositories, Storage } from '@partner-hiring/core/ports';
import type { TestSchema } from '@partner-hiring/test-support/postgres/database';
import { leaveSchema, takeSchema } from '@partner-hiring/test-support/postgres/schemas';
import { answered, createRecordingTransport } from '@partner-hiring/test-support/transport';
import { makeFeatures } from '@partner-hiring/test-support/worker-features';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  appendStamped,
  KEY_ID,
  sampleAlert,
  sampleApplication,
  sampleEndpoint,
  sampleEvent,
  sampleSubmission,
  seed,
  T0,
} from '../../../test/conformance/suite/storage/samples.js';
import { hang } from '../../../test/scenarios/worker/stage.js';
import { noLogger } from '../../core/src/defaults/redacting-logger.js';
import { createSystemRuntime } from '../../core/src/defaults/system-runtime.js';
import { DAY_MS, MINUTE_MS } from '../../core/src/domain/time.js';
import { createStorageClock } from '../../core/src/storage-clock.js';
import { createWorker } from '../../core/src/worker/worker.js';
import { createPostgresStorage } from './create-postgres-storage.js';
import type { PostgresTransaction } from './host-transaction.js';

const LEASE = { token: 'mine', forMs: 90_000 };
const EVENTS = 20;

let database: TestSchema;
let storage: Storage<PostgresTransaction>;
let others: Storage<PostgresTransaction>[];
let client: Client;
beforeEach(async () => {
  database = takeSchema();
  const { connectionString, schema } = database;
  storage = await createPostgresStorage({ connectionString, schema });
  others = [];
  client = new Client({ connectionString });
  await client.connect();
  const { direct } = storage;
  await seed(direct);
  await direct.endpoints.save(sampleEndpoint());
  await appendStamped(
    direct,
    Array.from({ length: EVENTS }, (_, index) => sampleEvent(index, T0 + 1 + index)),
  );
});
afterEach(async () => {
  await client.end();
  await Promise.all([storage, ...others].map((each) => each.close()));
  await leaveSchema(database);
});

async function one(sql: string): Promise<number> {
  return Number(Object.values((await client.query<Record<string, unknown>>(sql)).rows[0] ?? {})[0]);
}

const serverNow = () => one('select floor(extract(epoch from clock_timestamp()) * 1000)');

async function openAhead(ms: number): Promise<Repositories> {
  vi.restoreAllMocks();
  const { now } = Date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + ms);
  const { connectionString, schema } = database;
  const other = await createPostgresStorage({ connectionString, schema });
  others.push(other);
  return other.direct;
}

it.each([-365 * DAY_MS, 365 * DAY_MS])(
  "leases use the server's clock when a process is %i ms off",
  async (ms) => {
    const { submissions } = storage.direct;
    await storage.direct.alerts.add([sampleAlert(1)]);
    const application = sampleApplication(1, T0);
    const task = { applicationId: application.id, keyId: KEY_ID, url: 'u', attempts: 0, dueAt: 0 };
    await submissions.add([sampleSubmission(application, {}, task)]);
    const before = await serverNow();
    const { alerts, endpoints, resumeFiles } = await openAhead(ms);
    expect(await endpoints.lease(LEASE, Date.now(), 1)).toHaveLength(1);
    expect(await endpoints.renew([{ ...LEASE, keyId: KEY_ID }])).toEqual(['held']);
    expect(await alerts.claim(LEASE, 1)).toHaveLength(1);
    expect(await resumeFiles.claimOfOthers(LEASE, T0, 1, [])).toHaveLength(1);
    const after = await serverNow();
    for (const table of ['ph_endpoint', 'ph_alert', 'ph_resume_task']) {
      const until = await one(`select lease_until from ${database.schema}.${table}`);
      expect(until).toBeGreaterThanOrEqual(before + LEASE.forMs);
      expect(until).toBeLessThanOrEqual(after + LEASE.forMs);
    }

    const later = await openAhead(2 * Math.abs(ms));
    const theirs = { ...LEASE, token: 'theirs' };
    expect(await later.endpoints.lease(theirs, Date.now(), 1)).toEqual([]);
    expect(await later.endpoints.advanceWatermark(KEY_ID, T0 + EVENTS)).toBe(false);
    expect(await later.endpoints.backlogs(KEY_ID, Date.now(), 1)).toMatchObject([{ isHeld: true }]);
    expect(await later.alerts.claim(theirs, 1)).toEqual([]);
    expect(await later.resumeFiles.claim(theirs, Date.now(), 1)).toEqual([]);
    expect(await later.resumeFiles.claimOfOthers(theirs, Date.now(), 1, [])).toEqual([]);
  },
);

it('leases separate workers whose clocks are two minutes behind and ahead', async () => {
  const transport = createRecordingTransport();
  const hanging = hang(transport);
  const [behind, ahead] = [-2 * MINUTE_MS, 2 * MINUTE_MS].map((ms) => {
    const system = createSystemRuntime();
    const clock = { ...system.clock, now: () => system.clock.now() + ms };
    const parts = { storage, runtime: { ...system, clock }, logger: noLogger };
    return createWorker({
      ...parts,
      features: makeFeatures(parts, {
        resumeSource: { fetch: () => Promise.reject(new Error('There is none.')), close: async () => {} },
        resumeSink: { store: () => Promise.reject(new Error('There is none.')) },
        alerts: { alert: async () => {} },
      }),
      storageClock: createStorageClock(storage.direct.time, clock),
      transport,
      secretBox: { seal: (secret) => secret, open: (sealed) => sealed },
      options: { pollEveryMs: 20 },
    });
  });
  behind?.start();
  await expect.poll(hanging.count).toBe(4);
  ahead?.start();
  await ahead?.drain();
  expect(hanging.count()).toBe(4);
  transport.answerWith(() => answered(200));
  await hanging.endWith(answered(200));
  await expect.poll(() => transport.attempts.length).toBeGreaterThanOrEqual(EVENTS);
  await Promise.all([behind?.stop(), ahead?.stop()]);
  expect(transport.attempts).toHaveLength(EVENTS);
});
