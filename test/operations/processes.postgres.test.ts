/** Runs the processes of `examples/operations` on PostgreSQL, behind a proxy. */
import { randomBytes } from 'node:crypto';
import { startDatabaseProxy } from '@partner-hiring/test-support/network/tcp-proxy';
import { postgresUrl } from '@partner-hiring/test-support/postgres/database';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { askHealth, runExample, startExample, untilStatus } from '../tools/alerts/example-process.js';

const SLOW = { timeout: 120_000 };

async function onServer(sql: string): Promise<void> {
  const client = new Client({ connectionString: postgresUrl() });
  await client.connect();
  await client.query(sql);
  await client.end();
}

test('are ready only with a database, alive without one, and stop on SIGTERM', SLOW, async () => {
  const name = `operations_${randomBytes(4).toString('hex')}`;
  await onServer(`create database ${name}`);
  onTestFinished(() => onServer(`drop database ${name} with (force)`));
  const url = new URL(postgresUrl());
  url.pathname = `/${name}`;
  const env = { PARTNER_HIRING_SEALING_KEY: '0123456789abcdef'.repeat(4) };
  await runExample('migrate.ts', { ...env, DATABASE_URL: url.href });
  // A deploy runs it each time.
  await runExample('migrate.ts', { ...env, DATABASE_URL: url.href });

  const proxy = await startDatabaseProxy(url.href);
  onTestFinished(() => proxy.close());
  const processes = [];
  for (const program of ['api.ts', 'worker.ts'] as const) {
    const started = await startExample(program, { ...env, DATABASE_URL: proxy.connectionString });
    onTestFinished(async () => void (await started.stop()));
    processes.push(started);
  }

  const [api] = processes;
  const scraped = await (await fetch(`http://127.0.0.1:${api?.metricsPort}/metrics`)).text();
  for (const series of [
    'partner_hiring_storage_up',
    'partner_hiring_worker_alive',
    'nodejs_eventloop_delay_p99',
  ]) {
    expect(scraped).toMatch(new RegExp(`^${series}\\{.*\\} [\\d.e-]+$`, 'm'));
  }
  expect(scraped).toMatch(/^partner_hiring_worker_alive\{.*\} 1$/m);
  expect(await askHealth(`http://127.0.0.1:${api?.port}/api/v1/external/jobs`)).toMatchObject({
    status: 401,
  });
  // The port for partners has neither metrics nor health.
  for (const path of ['/metrics', '/readyz', '/livez']) {
    expect((await fetch(`http://127.0.0.1:${api?.port}${path}`)).status).toBe(404);
  }

  proxy.swallow();
  for (const { healthPort } of processes) {
    await untilStatus(`http://127.0.0.1:${healthPort}/readyz`, 503);
    expect(await askHealth(`http://127.0.0.1:${healthPort}/livez`)).toMatchObject({ status: 200 });
  }
  proxy.forward();
  for (const { healthPort } of processes) await untilStatus(`http://127.0.0.1:${healthPort}/readyz`, 200);
  for (const each of processes) expect(await each.stop()).toBe(0);
});
