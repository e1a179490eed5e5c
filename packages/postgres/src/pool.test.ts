import { once } from 'node:events';
import { startRawServer } from '@partner-hiring/test-support/network/raw-server';
import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { fatal, welcome } from '@partner-hiring/test-support/postgres/messages';
import { Client, Pool, type PoolConfig } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPostgresStorage } from './create-postgres-storage.js';
import { openPool } from './pool.js';
import { withDefaultTimeouts } from './timeouts.js';

const FAREWELL = fatal('57P01', 'terminating connection');
const TERMINATE = 'X';

it('a server that ends a connection while the storage is closed does not end the process', async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  process.prependListener('uncaughtException', note);
  onTestFinished(() => void process.removeListener('uncaughtException', note));

  let closed: Promise<unknown> | null = null;
  const server = await startRawServer((socket) => {
    closed = once(socket, 'close');
    socket.once('data', () => {
      socket.write(welcome({}));
      socket.on('data', (bytes) => {
        if (bytes.toString('latin1').startsWith(TERMINATE)) socket.end(FAREWELL);
      });
    });
  });
  const connectionString = `postgres://nobody@127.0.0.1:${server.port}/none`;
  const connections = openPool({ connectionString }, withDefaultTimeouts({}), async () => {
    throw new Error('Nothing is asked.');
  });
  await connections.lend(async () => {});
  await connections.close();
  await closed;
  await new Promise((resolve) => setImmediate(resolve));
  expect(uncaught).toEqual([]);
});

it.each([
  ['a:1', '', false],
  ['a:1,b:1', '', true],
  ['a:1,b:1', '?target_session_attrs=any', false],
])('%s/db%s may be taken over by another server: %s', (hosts, parameters, isTakenOver) => {
  const connectionString = `postgres://${hosts}/db${parameters}`;
  const { hasSeveralServers } = openPool({ connectionString }, withDefaultTimeouts({}), async () => ({
    rows: [],
  }));
  expect(hasSeveralServers).toBe(isTakenOver);
});

describe('a pool that cannot serve is refused with the fix', () => {
  const { connectionString, schema } = createTestSchema();

  it.each<readonly [string, () => unknown]>([
    ['none', () => undefined],
    ['a connection', () => new Client({ connectionString })],
    ['the options of one', () => ({ connectionString })],
  ])('%s', async (_what, make) => {
    const opened = createPostgresStorage({ pool: make() as Pool, schema });
    const message = expect.stringContaining('`pool` must be a pool of pg');
    await expect(opened).rejects.toMatchObject({ code: 'MISCONFIGURED', message });
  });

  it('one that has ended', async () => {
    const pool = new Pool({ connectionString });
    await pool.end();
    const opened = createPostgresStorage({ pool, schema });
    const message = expect.stringMatching(/pool .*ended.*partnerHiring\.close\(\)/);
    await expect(opened).rejects.toMatchObject({ name: 'StorageUnavailable', message });
  });

  it('one whose connections answer in binary', async () => {
    const pool = new Pool({ connectionString, binary: true } as PoolConfig);
    onTestFinished(() => pool.end());
    const message = expect.stringContaining('without that option');
    const opened = createPostgresStorage({ pool, schema });
    await expect(opened).rejects.toMatchObject({ code: 'MISCONFIGURED', message });
    expect(pool.idleCount).toBe(1);
  });
});
