/** What a host tests with `@partner-hiring/testing`, for any test runner. */
import { deepStrictEqual, match, rejects, strictEqual } from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createPartnerHiring, type InboxContext, type InboxItem, OperatorError } from '@partner-hiring/core';
import { createTestInstance, type TestInstance } from '@partner-hiring/testing';
import { temporaryPostgres } from '@partner-hiring/testing/postgres';
import { temporarySqlite } from '@partner-hiring/testing/sqlite';
import Sqlite, { type Database } from 'better-sqlite3';
import pg from 'pg';

/** The stories by title. Those on PostgreSQL run only with a connection string. */
export function storiesFor(
  connectionString: string | undefined,
): Readonly<Record<string, () => Promise<void>>> {
  if (connectionString === undefined || connectionString === '') return ON_SQLITE;
  return {
    ...ON_SQLITE,
    'PostgreSQL: a hire reaches the partner as a webhook': () => hireOnPostgres(connectionString),
    'PostgreSQL: the schema is dropped, and the pool of the host stays open': () =>
      keepsPool(connectionString),
    'PostgreSQL: an unreachable server is reported': unreachableServer,
  };
}

const ON_SQLITE = {
  'SQLite: a hire reaches the partner as a webhook': hireOnSqlite,
  'SQLite: a command in the host’s transaction is rolled back with it': rollBack,
  'SQLite: the inbox hands a candidate over': handOver,
  'SQLite: a mistake is an OperatorError that names the fix': mistakes,
};

async function hireOnSqlite(): Promise<void> {
  const database = temporarySqlite();
  const instance = await createTestInstance({ database });
  await hire(instance);
  await instance.close();
  strictEqual(existsSync(database.file), false);
}

async function hireOnPostgres(connectionString: string): Promise<void> {
  const instance = await createTestInstance({ database: temporaryPostgres({ connectionString }) });
  await hire(instance);
  await instance.close();
}

/** A submission, an outage of the partner's endpoint, a hire, a retry. */
async function hire<HostTx>(instance: TestInstance<HostTx>): Promise<void> {
  const { operator, transport } = instance;
  const key = await instance.createKey();
  const job = await instance.createJob({ keys: [key], title: 'Line cook' });
  strictEqual((await key.waitFor('job.opened')).data.title, 'Line cook');

  const { application } = await instance.createApplication({ key, job, candidate: { firstName: 'Grace' } });
  strictEqual(application.candidate.firstName, 'Grace');
  transport.answerWith(503);
  await operator.applications.move({ id: application.id });
  await operator.applications.decide({ id: application.id, decision: 'accepted' });
  const { data, id } = await key.waitFor('application.status_changed');
  deepStrictEqual([data.newStatus, data.currentStage], ['accepted', 'Hired']);

  transport.answerWith(204);
  const before = instance.clock.now();
  await instance.advance(10 * 60_000);
  strictEqual(instance.clock.now() - before, 10 * 60_000);
  const attempts = transport.events().filter((event) => event.id === id);
  strictEqual(attempts.length, 2);
  const found = await operator.deliveries.find({ keyId: key.keyId, eventId: id as `evt_${string}` });
  strictEqual(found?.delivery.state, 'delivered');

  const { status, json } = await key.get(`/applications/${application.id}`);
  deepStrictEqual([status, json.status], [200, 'accepted']);
}

async function rollBack(): Promise<void> {
  const database = temporarySqlite();
  const instance = await createTestInstance({ database });
  const job = await instance.createJob();
  const host = new Sqlite(database.file);
  host.exec('begin immediate');
  await instance.operator.within(host).jobs.close({ id: job.id });
  host.exec('rollback');
  host.close();
  strictEqual((await instance.operator.jobs.find({ id: job.id }))?.state, 'open');
  await instance.close();
}

async function handOver(): Promise<void> {
  const received: string[] = [];
  const instance = await createTestInstance({
    database: temporarySqlite(),
    create: (options) =>
      createPartnerHiring({
        ...options,
        inbox: {
          receive: (items: readonly InboxItem[], { tx }: InboxContext<Database>) => {
            tx.exec('create table if not exists candidate (name text)');
            for (const { application } of items) {
              if (application !== undefined) received.push(application.candidate.lastName);
            }
          },
        },
      }),
  });
  await instance.createApplication({ fields: { resumeUrl: 'https://ats.example.org/cv.pdf' } });
  await instance.drain();
  deepStrictEqual(received.slice(0, 1), ['Lovelace']);
  deepStrictEqual(
    instance.resumeFiles.map(({ mediaType }) => mediaType),
    ['application/pdf'],
  );
  await instance.close();
}

async function mistakes(): Promise<void> {
  await rejects(
    createTestInstance({ database: temporarySqlite(), storage: null } as never),
    (error) => error instanceof OperatorError && error.message.includes('has no option `storage`'),
  );
  const instance = await createTestInstance({ database: temporarySqlite() });
  await rejects(
    instance.operator.jobs.close({ id: 'job_unknown' }),
    (error) => error instanceof OperatorError && error.code === 'JOB_NOT_FOUND',
  );
  await rejects(instance.waitFor('job.opened', { timeoutMs: 20 }), (error: Error) => {
    match(error.message, /No further job\.opened event was sent within 20 ms/);
    return true;
  });
  await instance.close();
}

async function keepsPool(connectionString: string): Promise<void> {
  const pool = new pg.Pool({ connectionString, max: 4 });
  const database = temporaryPostgres({ pool });
  const instance = await createTestInstance({ database });
  const job = await instance.createJob();
  const client = await pool.connect();
  await client.query('begin');
  await instance.operator.within(client).jobs.close({ id: job.id });
  await client.query('rollback');
  client.release();
  strictEqual((await instance.operator.jobs.find({ id: job.id }))?.state, 'open');
  const schemas = () => pool.query('select from pg_namespace where nspname = $1', [database.schema]);
  strictEqual((await schemas()).rowCount, 1);
  await instance.close();
  strictEqual((await schemas()).rowCount, 0);
  await pool.end();
}

async function unreachableServer(): Promise<void> {
  const database = temporaryPostgres({ connectionString: 'postgres://127.0.0.1:1/nothing' });
  await rejects(createTestInstance({ database }), { name: 'StorageUnavailable' });
  strictEqual(database.pool.ended, true);
}
