/** The checks of the way to a PostgreSQL server, each shown failing. */
import { type AddressInfo, createServer } from 'node:net';
import { startDatabaseProxy } from '@partner-hiring/test-support/network/tcp-proxy';
import { postgresUrl } from '@partner-hiring/test-support/postgres/database';
import { startPooler } from '@partner-hiring/test-support/postgres/pooler';
import { expect, onTestFinished, test } from 'vitest';
import { doctorExitCode, doctorText, runDoctor } from '../../packages/cli/src/index.js';
import { addressOf, createRole, withUrl } from './doctor-on-postgres.js';
import { createEmptyStage, createFilledStage, fillStage } from './doctor-stage.js';

const FAST = { timeoutMs: 500 };

const PASSWORD = 'S3cret-pa#ss';

test.each([
  [
    'a wrong password',
    (url: URL) => {
      url.password = 'S3cret-wr#ng';
    },
    /refuses the user "role_\w+" or the password/,
  ],
  [
    'a database that does not exist',
    (url: URL) => {
      url.pathname = '/nowhere';
    },
    /there is no database "nowhere"/,
  ],
  [
    'a port without a server',
    (url: URL) => {
      url.port = '1';
    },
    /127\.0\.0\.1:1: no server listens there/,
  ],
  [
    'a host without an address',
    (url: URL) => {
      url.hostname = 'nowhere.invalid';
    },
    /the host nowhere\.invalid was not found/,
  ],
])('the check of the database finds %s, and never shows the password', async (_, change, says) => {
  const { connectionString } = await createRole(postgresUrl(), [], PASSWORD);
  expect((await runDoctor({ database: connectionString })).checks[2]).toMatchObject({ state: 'ok' });
  const report = await runDoctor({ database: withUrl(connectionString, change), ...FAST });
  const found = report.checks.find(({ name }) => name === 'database');
  expect(found).toMatchObject({ state: 'failed', finding: expect.stringMatching(says) });
  expect(report.checks.filter(({ state }) => state === 'skipped').length).toBeGreaterThan(10);
  expect(doctorExitCode(report)).toBe(1);
  expect(`${doctorText(report)}${JSON.stringify(report)}`).not.toMatch(/S3cret|pa#ss|pa%23ss/);
});

test('a server that never answers fails the check of the database in bounded time', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await new Promise((resolve) => silent.once('listening', resolve));
  const database = withUrl(postgresUrl(), (url) => {
    url.port = String((silent.address() as AddressInfo).port);
  });
  const startedAt = performance.now();
  const report = await runDoctor({ database, ...FAST });
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  expect(report.checks.find(({ name }) => name === 'database')).toMatchObject({
    state: 'failed',
    finding: expect.stringContaining('no answer within 500 ms'),
  });
});

test('a database that stops answering fails the checks that are left, in bounded time', async () => {
  const stage = await createFilledStage();
  const { connectionString, schema } = addressOf(stage);
  const proxy = await startDatabaseProxy(connectionString);
  onTestFinished(() => proxy.close());
  proxy.swallowAt('pg_stat_activity', 'with_it');
  setTimeout(() => proxy.swallow(), 50);
  const startedAt = performance.now();
  const report = await runDoctor({ database: proxy.connectionString, schema, timeoutMs: 200 });
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  expect(doctorExitCode(report)).toBe(1);
});

test('a pooler in statement mode fails the check of the database with the setting that mends it', async () => {
  const stage = createEmptyStage();
  const { connectionString, schema } = addressOf(stage);
  await fillStage(stage);
  const pooler = await startPooler(connectionString, { mode: 'statement' });
  onTestFinished(() => pooler.close());
  const report = await runDoctor({ database: pooler.connectionString, schema });
  expect(report.checks.find(({ name }) => name === 'database')).toMatchObject({
    state: 'failed',
    finding: expect.stringContaining('pool_mode = transaction'),
  });
});

test.each([
  [false, 'warning'],
  [true, 'ok'],
])(
  'the check of the pooler tells whether prepared statements work (%s)',
  async (preparedStatements, state) => {
    const stage = createEmptyStage();
    const { connectionString, schema } = addressOf(stage);
    await fillStage(stage);
    const pooler = await startPooler(connectionString, { preparedStatements });
    onTestFinished(() => pooler.close());
    const report = await runDoctor({ database: pooler.connectionString, schema });
    expect(report.checks.find(({ name }) => name === 'pooler')).toMatchObject({ state });
    expect(report.checks.find(({ name }) => name === 'schema')).toMatchObject({ state: 'ok' });
  },
);

test.each([
  [true, 'failed', '`pipeline: false`'],
  [false, 'ok', null],
])(
  'the check of the pipeline finds a pooler that releases at the first answer (%s)',
  async (releases, state, fix) => {
    const stage = createEmptyStage();
    const { connectionString, schema } = addressOf(stage);
    await fillStage(stage);
    const pooler = await startPooler(connectionString, { releasesAtFirstAnswer: releases });
    onTestFinished(() => pooler.close());
    const report = await runDoctor({ database: pooler.connectionString, schema, ...FAST });
    expect(report.checks.find(({ name }) => name === 'pipeline')).toMatchObject({
      state,
      fix: fix === null ? null : expect.stringContaining(fix),
    });
  },
);
