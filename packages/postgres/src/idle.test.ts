import { createPartnerHiring, createSystemRuntime, type PartnerHiring } from '@partner-hiring/core';
import { createFakeClock, whileBusy } from '@partner-hiring/test-support/clock';
import { createEmployer } from '@partner-hiring/test-support/partner';
import { createTestSchema, type TestSchema } from '@partner-hiring/test-support/postgres/database';
import { answered, createRecordingTransport } from '@partner-hiring/test-support/transport';
import pg from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPostgresStorage } from './create-postgres-storage.js';
import type { PostgresTransaction } from './host-transaction.js';
import { listenForWork, type WorkListener } from './listen-for-work.js';

const MINUTE_MS = 60_000;
const SOON = { timeout: 10_000, interval: 5 };

let database: TestSchema;
let host: PartnerHiring<PostgresTransaction>;
let listener: WorkListener | null;
let pool: pg.Pool | null;
let stopWatching: () => void;
const clock = createFakeClock();
const transport = createRecordingTransport();

beforeEach(() => {
  database = createTestSchema();
  listener = null;
  pool = null;
  const connect = vi.spyOn(pg.Pool.prototype, 'connect');
  stopWatching = whileBusy(() => {
    pool ??= (connect.mock.contexts[0] as pg.Pool | undefined) ?? null;
    return pool !== null && (pool.totalCount > pool.idleCount || pool.waitingCount > 0);
  });
});
afterEach(async () => {
  stopWatching();
  vi.restoreAllMocks();
  await listener?.close();
  await host.close();
  await database.drop();
});

interface Started {
  readonly jobId: `job_${string}`;
  readonly keyId: `key_${string}`;
}

async function start(idlePollMs: number | null, listens: boolean): Promise<Started> {
  const { connectionString, schema } = database;
  const storage = await createPostgresStorage({ connectionString, schema, announceWork: true, clock });
  host = createPartnerHiring({
    storage,
    transport,
    secretKey: '0123456789abcdef'.repeat(4),
    runtime: { ...createSystemRuntime(), clock },
    worker: { idlePollMs },
  });
  const { operator, worker } = host;
  const { id: partnerId } = await operator.partners.create({ name: 'Acme ATS' });
  const { key } = await operator.keys.issue({ partnerId, environment: 'production' });
  await operator.endpoints.setUrl({ keyId: key.id, url: 'https://ats.example.org/hooks' });
  const { jobId } = await createEmployer(host, { keyId: key.id });
  worker.start();
  if (listens) {
    const heard = vi.spyOn(worker, 'setListening');
    listener = listenForWork({ connectionString, schema, worker });
    await expect.poll(() => heard.mock.calls, SOON).toContainEqual([true]);
  }
  for (let second = 0; second < 70; second += 1) await clock.advance(1_000);
  return { jobId, keyId: key.id };
}

/** Returns how many statements run in this time, including those of the listener. */
async function statementsIn(ms: number): Promise<number> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  await clock.advance(ms);
  const { length } = query.mock.calls;
  query.mockRestore();
  return length;
}

it('without a listener, an idle process runs at most 20 statements an hour, and none for 50 minutes', async () => {
  const { jobId } = await start(60 * MINUTE_MS, false);
  expect(await statementsIn(50 * MINUTE_MS)).toBe(0);
  const atWaking = await statementsIn(10 * MINUTE_MS);
  expect(atWaking).toBeGreaterThan(0);
  expect(atWaking).toBeLessThanOrEqual(20);
  const sent = transport.events().length;
  await host.operator.jobs.close({ id: jobId });
  await clock.advance(0);
  expect(transport.events()).toHaveLength(sent + 1);
});

it('the connections of an idle process are closed by the pool', async () => {
  await start(60 * MINUTE_MS, false);
  expect(pool?.options.idleTimeoutMillis).toBe(10_000);
  // The test does not wait ten seconds: it gives each connection a shorter time.
  if (pool !== null) pool.options.idleTimeoutMillis = 1;
  await host.operator.system.status();
  await Promise.all(Array.from({ length: 10 }, () => pool?.query('select 1')));
  await expect.poll(() => pool?.totalCount, SOON).toBe(0);
  expect(await statementsIn(50 * MINUTE_MS)).toBe(0);
  expect(pool?.totalCount).toBe(0);
});

it('with a listener, an idle process sleeps for an hour by default, and runs at most 20 statements', async () => {
  await start(null, true);
  expect(await statementsIn(50 * MINUTE_MS)).toBe(0);
  expect(await statementsIn(10 * MINUTE_MS)).toBeLessThanOrEqual(20);
});

for (const listens of [true, false]) {
  it(`a retry that is due in a minute is sent on time, ${listens ? 'with' : 'without'} a listener`, async () => {
    const { jobId, keyId } = await start(60 * MINUTE_MS, listens);
    transport.answerWith(() => answered(500));
    await host.operator.jobs.close({ id: jobId });
    for (let second = 0; second < 2; second += 1) await clock.advance(1_000);
    const [delivery] = (await host.operator.deliveries.list({ keyId, limit: 1 })).items;
    const waitMs = (delivery?.dueAt ?? Number.NaN) - clock.now();
    const sent = transport.events().length;
    transport.answerWith(() => answered(200));
    await clock.advance(waitMs - 1);
    expect(transport.events()).toHaveLength(sent);
    await clock.advance(1);
    expect(transport.events()).toHaveLength(sent + 1);
  });
}

it('a worker whose listener is lost polls every second, and once more after the reconnect', async () => {
  await start(null, true);
  const { worker } = host;
  const heard = vi.spyOn(worker, 'setListening').mockClear();
  const woken = vi.spyOn(worker, 'wake');
  const [listening] = await database.run(
    "select pid from pg_stat_activity where application_name = 'partner-hiring listener' and state = 'idle' and " +
      "query like '%pg_notify%' order by backend_start desc limit 1",
  );
  await database.run('select pg_terminate_backend($1)', [listening?.pid]);
  await expect.poll(() => heard.mock.calls, SOON).toEqual([[false], [true]]);
  expect(woken).toHaveBeenCalledOnce();
});

it('commands and submissions with work announce it to the workers of other processes', async () => {
  await start(60 * MINUTE_MS, false);
  const wake = vi.fn();
  const { connectionString, schema } = database;
  listener = listenForWork({ connectionString, schema, worker: { wake } });
  await expect.poll(() => wake.mock.calls.length, SOON).toBe(1);
  await host.operator.candidates.eraseMany({ changedBefore: 1 });
  await expect.poll(() => wake.mock.calls.length, SOON).toBe(2);
});
