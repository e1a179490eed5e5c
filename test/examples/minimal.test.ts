import { readFileSync } from 'node:fs';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import { VALID } from '@partner-hiring/test-support/submission-body';
import { expect, onTestFinished, test } from 'vitest';
import { startChild } from '../../examples/server/demo/child.js';

const START_MS = 30_000;

test('the smallest host serves its job, and prints the candidate that a partner submits', async () => {
  const host = startChild('../minimal.ts', { PORT: '0' }, RUN_BUNDLED);
  onTestFinished(async () => void (await host.stop()));
  await host.waitFor('AUTH=', START_MS);
  const [, api = '', secret = ''] = /API=(\S+); AUTH="Authorization: Bearer (\S+)"/.exec(host.output()) ?? [];
  const headers = { authorization: `Bearer ${secret}` };
  expect(await (await fetch(`${api}/jobs`, { headers })).json()).toMatchObject({ data: [{ id: 'job_1' }] });
  const reply = await fetch(`${api}/applications`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify(VALID),
  });
  expect(reply.status).toBe(201);
  await host.waitFor("lastName: 'Lovelace'", START_MS);
});

test('the smallest host has at most thirty lines', () => {
  const lines = readFileSync(new URL('../../examples/minimal.ts', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  expect(lines.length).toBeLessThanOrEqual(30);
});
