import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { startTcpProxy } from '@partner-hiring/test-support/network/tcp-proxy';
import { createTestSchema, postgresUrl } from '@partner-hiring/test-support/postgres/database';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '../../examples/platform/database/open-database.js';

test('an example that loses its database says what is left there, and fails no other clearing away', async () => {
  const { hostname: host, port } = new URL(postgresUrl());
  const proxy = await startTcpProxy({ host, port: Number(port) });
  const url = new URL(postgresUrl());
  url.port = String(proxy.port);
  vi.stubEnv('DATABASE_URL', url.href);
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  const exitCode = process.exitCode;
  onTestFinished(() => {
    vi.unstubAllEnvs();
    process.exitCode = exitCode;
  });

  const database = await openDatabase();
  await proxy.close();
  await database.leave('shop', 'shop_partner_api');
  expect(said.mock.calls.join()).toContain('drop schema if exists shop_partner_api cascade');
  expect(process.exitCode).toBe(1);
});

test('a DATABASE_URL that cannot be read is told with the form of one, without its password', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://user:pa#ss@127.0.0.1/db');
  onTestFinished(() => void vi.unstubAllEnvs());
  const opening = openDatabase();
  await expect(opening).rejects.toThrow('postgres://user:password@host:port/database');
  await expect(opening).rejects.not.toThrow('pa#ss');
});

test('a DATABASE_URL that leads nowhere is told with the place and the fix, without its password', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://user:s3cret@127.0.0.1:1/hiring');
  onTestFinished(() => void vi.unstubAllEnvs());
  const opening = openDatabase();
  await expect(opening).rejects.toThrow(
    /"hiring" at 127\.0\.0\.1:1: no server listens there .*Check the host and the port in DATABASE_URL/,
  );
  await expect(opening).rejects.not.toThrow('s3cret');
});

test('an example that is interrupted does not wait for a database that keeps silent', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  vi.stubEnv('DATABASE_URL', `postgres://127.0.0.1:${port}/db`);
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(openDatabase(Promise.reject(new Error('Interrupted')))).rejects.toThrow('Interrupted');
});

test('an example removes the schemas that it has made', async () => {
  const { schema, run } = createTestSchema();
  await run(`create schema ${schema}`);
  vi.stubEnv('DATABASE_URL', postgresUrl());
  onTestFinished(() => void vi.unstubAllEnvs());
  await (await openDatabase()).leave(schema);
  expect(await run('select from pg_namespace where nspname = $1', [schema])).toEqual([]);
});
