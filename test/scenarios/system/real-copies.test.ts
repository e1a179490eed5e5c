/** Copies that a host makes: of the file on SQLite, and of the whole database on PostgreSQL. */
import { randomBytes } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import { createFakeClock, type FakeClock } from '@partner-hiring/test-support/clock';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner, submission } from '@partner-hiring/test-support/partner';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import { postgresUrl } from '../../support/postgres/database.js';

/** A database, by its file or its connection string, and how to copy it while nobody has it open. */
interface Original {
  readonly at: string;
  copy(): Promise<string>;
}

async function onSqlite(): Promise<Original> {
  const { location, remove } = await createTestDatabase();
  if (location.kind !== 'sqlite') throw new Error('This database is not on SQLite.');
  onTestFinished(remove);
  const copied = `${location.file}.copy`;
  return { at: location.file, copy: () => copyFile(location.file, copied).then(() => copied) };
}

async function onPostgres(): Promise<Original> {
  const name = `copies_${randomBytes(4).toString('hex')}`;
  const client = new Client({ connectionString: postgresUrl() });
  await client.connect();
  onTestFinished(async () => {
    for (const each of [name, `${name}_copy`])
      await client.query(`drop database if exists ${each} with (force)`);
    await client.end();
  });
  await client.query(`create database ${name}`);
  const at = (database: string) => Object.assign(new URL(postgresUrl()), { pathname: `/${database}` }).href;
  async function copy(): Promise<string> {
    await client.query(`create database ${name}_copy template ${name}`);
    return at(`${name}_copy`);
  }
  return { at: at(name), copy };
}

/** Runs a process there for two minutes, and returns what it sent. */
async function run(at: string, clock: FakeClock, deployment: string, leaveWork = false) {
  const storage =
    process.env.STORAGE === 'postgres'
      ? await createPostgresStorage({ connectionString: at, clock })
      : await createSqliteStorage({ file: at, clock });
  const fixture = await createFixture({ storage, deployment }, {}, clock);
  if (leaveWork) {
    const partner = await createPartner(fixture);
    const { jobId } = await createEmployer(fixture, partner);
    expect(await partner.submit(submission(jobId))).toMatchObject({ status: 201 });
  } else {
    await fixture.pass(2 * MINUTE_MS, 10_000);
  }
  const found = (await fixture.operator.system.status()).deployment;
  await fixture.close();
  return { sent: fixture.transport.attempts.length, reason: found.reason };
}

test('a copy with the same name is at another place, and the original still sends', async () => {
  const clock = createFakeClock();
  const { at, copy } = await (process.env.STORAGE === 'postgres' ? onPostgres() : onSqlite());
  expect(await run(at, clock, 'production', true)).toEqual({ sent: 0, reason: null });
  const copied = await copy();
  expect(await run(copied, clock, 'production')).toEqual({ sent: 0, reason: 'other_place' });
  expect(await run(copied, clock, 'staging')).toEqual({ sent: 0, reason: 'other_name' });
  expect(await run(at, clock, 'production')).toEqual({ sent: 1, reason: null });
});
