import {
  createPartnerHiring,
  type InboxItem,
  type PartnerHiring,
  type PartnerHiringOptions,
} from '@partner-hiring/core';
import { startDatabaseProxy } from '@partner-hiring/test-support/network/tcp-proxy';
import { createEmployer } from '@partner-hiring/test-support/partner';
import type { TestSchema } from '@partner-hiring/test-support/postgres/database';
import { startPooler } from '@partner-hiring/test-support/postgres/pooler';
import { leaveSchema, takeSchema } from '@partner-hiring/test-support/postgres/schemas';
import { createRecordingTransport, type RecordingTransport } from '@partner-hiring/test-support/transport';
import { Client, Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPostgresStorage } from './create-postgres-storage.js';
import type { PostgresTransaction } from './host-transaction.js';
import { JOIN_MS, listenForWork, type WorkListener, workChannel } from './listen-for-work.js';

/** Too long for polling to find anything. */
const POLL_MS = 3_600_000;
const SOON = { interval: 2 };

let database: TestSchema;
let host: PartnerHiring<PostgresTransaction>;
let elsewhere: PartnerHiring<PostgresTransaction>;
let listener: WorkListener;
let transport: RecordingTransport;
let jobId: `job_${string}`;
let secret: string;

type Options = Pick<PartnerHiringOptions<PostgresTransaction>, 'worker' | 'inbox'>;

async function start(announceWork: boolean, options: Options = {}): Promise<void> {
  const { connectionString, schema } = database;
  transport = createRecordingTransport();
  const open = async (given: Options) => {
    const storage = await createPostgresStorage({ connectionString, schema, announceWork });
    return createPartnerHiring({
      storage,
      transport,
      secretKey: '0123456789abcdef'.repeat(4),
      worker: { pollEveryMs: POLL_MS },
      ...given,
    });
  };
  [host, elsewhere] = [await open({}), await open(options)];
  elsewhere.worker.start();
  listener = listenForWork({ connectionString, schema, worker: elsewhere.worker });
  const { operator } = host;
  const { id: partnerId } = await operator.partners.create({ name: 'Acme ATS' });
  const issued = await operator.keys.issue({ partnerId, environment: 'production' });
  const { key } = issued;
  secret = issued.secret;
  await operator.endpoints.setUrl({ keyId: key.id, url: 'https://ats.example.org/hooks' });
  ({ jobId } = await createEmployer(host, { keyId: key.id }));
}

const sent = () => transport.events().length;

beforeEach(() => {
  database = takeSchema();
});
afterEach(async () => {
  await listener.close();
  await Promise.all([host.close(), elsewhere.close()]);
  await leaveSchema(database);
});

async function listeners(): Promise<readonly number[]> {
  const rows = await database.run(
    `select pid from pg_stat_activity
     where application_name = 'partner-hiring listener' and query like '%pg_notify%' and state = 'idle'`,
  );
  return rows.map(({ pid }) => pid as number);
}

describe('listening for work', () => {
  it('brings a commit of one process to the worker of another without any poll', async () => {
    await start(true);
    await expect.poll(sent, SOON).toBe(1);
    await host.operator.jobs.close({ id: jobId });
    await expect.poll(sent, SOON).toBe(2);
  });

  it('goes on after the connection was lost, and looks for what came meanwhile', async () => {
    await start(true);
    await expect.poll(sent, SOON).toBe(1);
    await expect.poll(async () => (await listeners()).length, SOON).toBeGreaterThan(0);
    const before = sent();
    for (const pid of await listeners()) await database.run('select pg_terminate_backend($1)', [pid]);
    await host.operator.jobs.close({ id: jobId });
    await expect.poll(sent, SOON).toBe(before + 1);
    await host.operator.jobs.reopen({ id: jobId });
    await expect.poll(sent, SOON).toBe(before + 2);
  });

  it('hears of an event that the host committed in its own transaction, and of none that it rolled back', async () => {
    await start(true);
    await expect.poll(sent, SOON).toBe(1);
    const before = sent();
    const pool = new Pool({ connectionString: database.connectionString });
    const client = await pool.connect();
    await client.query('begin');
    await host.operator.within(client).jobs.close({ id: jobId });
    await client.query('rollback');
    await client.query('begin');
    await host.operator.within(client).jobs.close({ id: jobId });
    expect(sent()).toBe(before);
    await client.query('commit');
    client.release();
    await pool.end();
    await expect.poll(sent, SOON).toBe(before + 1);
  });

  it('joins the notifications of a role without rights into a few wakes', async () => {
    const { connectionString, schema } = database;
    await start(false);
    let wakes = 0;
    const wake = () => {
      wakes += 1;
    };
    const counting = listenForWork({ connectionString, schema, worker: { wake } });
    await expect.poll(() => wakes, SOON).toBe(1);
    const stranger = `${schema}_stranger`;
    await database.run(`create role ${stranger} login password 'secret'`);
    const url = Object.assign(new URL(connectionString), { username: stranger, password: 'secret' });
    const client = new Client({ connectionString: url.href });
    await client.connect();
    const began = performance.now();
    for (let turn = 0; turn < 20; turn += 1)
      await client.query('select pg_notify($1, number::text) from generate_series(1, 500) number', [
        workChannel(schema),
      ]);
    await expect.poll(() => wakes, SOON).toBeGreaterThan(1);
    const most = 2 + Math.ceil((performance.now() - began) / JOIN_MS);
    await counting.close();
    await client.end();
    await database.run(`drop role ${stranger}`);
    expect(wakes).toBeLessThanOrEqual(most);
  });

  it('wakes a worker that sleeps for an hour when another process accepts a submission', async () => {
    const received: string[] = [];
    await start(true, {
      worker: { pollEveryMs: 5 },
      inbox: {
        receive: (items: readonly InboxItem[]) => void received.push(...items.map(({ kind }) => kind)),
      },
    });
    const sleepsUntil = async () => {
      const { at, workers } = await host.operator.system.status();
      return Math.max(0, ...workers.map((worker) => (worker.sleepsUntil ?? at) - at));
    };
    await expect.poll(sleepsUntil, SOON).toBeGreaterThan(POLL_MS - 60_000);
    const reply = await host.fetch(
      new Request('https://host.example.org/api/v1/external/applications', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
          'idempotency-key': '9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a10',
        },
        body: JSON.stringify({
          jobId,
          candidate: {
            firstName: 'Ada',
            lastName: 'Lovelace',
            email: 'ada@example.org',
            phone: '+14155550123',
          },
          consentToContact: true,
        }),
      }),
    );
    expect(reply.status).toBe(201);
    await expect.poll(() => received, SOON).toEqual(['application.submitted']);
  });

  it('makes a worker look once for each connection through a pooler that drops notifications, and go on polling', async () => {
    await start(false);
    const pooler = await startPooler(database.connectionString);
    const proxy = await startDatabaseProxy(pooler.connectionString);
    const told: string[] = [];
    const dropped = listenForWork({
      connectionString: proxy.connectionString,
      schema: database.schema,
      worker: {
        wake: () => void told.push('look'),
        setListening: (isListening) => void told.push(isListening ? 'listening' : 'not listening'),
      },
    });
    await expect.poll(() => told, SOON).toEqual(['look']);
    proxy.cut();
    await expect.poll(() => told, SOON).toEqual(['look', 'not listening', 'look']);
    await dropped.close();
    expect(told).toEqual(['look', 'not listening', 'look', 'not listening']);
    await proxy.close();
    await pooler.close();
  });

  it('hears nothing where nobody announces, and needs not: a look finds it', async () => {
    await start(false);
    await expect.poll(async () => (await listeners()).length, SOON).toBeGreaterThan(0);
    await elsewhere.worker.drain();
    const before = sent();
    await host.operator.jobs.close({ id: jobId });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(sent()).toBe(before);
    await elsewhere.worker.drain();
    expect(sent()).toBe(before + 1);
  });
});
