/** The command `partner-hiring-listen` as a process: killed while it forwards, and stopped with Ctrl+C. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { verifyWebhook } from '@partner-hiring/webhook-verifier';
import { expect, it, onTestFinished } from 'vitest';
import { report, sized } from './stage/size.js';
import { openWatchedApi } from './stage/watched-api.js';

const ROUNDS = sized(12, 4);
/** More than the killed rounds accept. */
const JOBS = 5 * ROUNDS + 10;
const PROGRAM = fileURLToPath(new URL('../../packages/client/src/listen/cli.ts', import.meta.url));

it(`forwards ${JOBS} events in order and misses none when killed ${ROUNDS} times`, async () => {
  const api = await openWatchedApi({ events: true });
  onTestFinished(api.close);
  const folder = temporaryFolder();
  const published = [api.jobId];
  while (published.length < JOBS) published.push(await api.publish());

  const got: string[] = [];
  let secret = Promise.resolve('whsec_of_the_environment');
  const refusals: string[] = [];
  let child: ChildProcess | null = null;
  let killAt = Number.POSITIVE_INFINITY;
  /** Whether the receiver answers the last event before the kill. */
  let answers = false;
  let onGot: (count: number) => void = () => {};
  const kill = () => void child?.kill('SIGKILL');
  const server = createServer(async (request, response) => {
    const body = String(await buffer(request));
    const verified = await verifyWebhook({ body, headers: request.headers, secret: await secret });
    if (!verified.ok) refusals.push(verified.reason);
    got.push((JSON.parse(body) as { data: { jobId: string } }).data.jobId);
    const isLast = got.length === killAt;
    if (isLast && !answers) return kill();
    response.writeHead(204).end(isLast ? kill : undefined);
    onGot(got.length);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });

  const { port } = server.address() as AddressInfo;
  const args = ['--forward', `http://127.0.0.1:${port}/hooks`, '--cursor', join(folder, 'cursor.json')];
  const start = (signingSecret: string) => {
    const env = { PARTNER_API_URL: api.baseUrl, PARTNER_API_KEY: api.apiKey, WEBHOOK_SECRET: signingSecret };
    const started = spawn(process.execPath, [...RUN_BUNDLED, PROGRAM, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = started;
    onTestFinished(() => void started.kill('SIGKILL'));
    return started;
  };

  for (let round = 0; round < ROUNDS; round += 1) {
    killAt = got.length + 1 + Math.floor(Math.random() * 4);
    answers = round % 2 === 1;
    const killed = start(await secret);
    killed.stdout.resume();
    expect(await once(killed, 'exit')).toEqual([null, 'SIGKILL']);
  }
  killAt = Number.POSITIVE_INFINITY;

  // The last start has no secret, so it makes one.
  const last = start('');
  let printed = '';
  const finished = new Promise<void>((resolve) => {
    onGot = () => {
      if (got.at(-1) === published.at(-1)) resolve();
    };
  });
  secret = new Promise((resolve) => {
    last.stdout.on('data', (chunk) => {
      printed += String(chunk);
      const found = /Signing secret: (whsec_\S+)\n/.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  await finished;
  last.kill('SIGINT');
  expect(await once(last, 'exit')).toEqual([0, null]);

  // A repeated event follows itself directly.
  expect(got.filter((id, index) => id !== got[index - 1])).toEqual(published);
  const repeated = got.length - published.length;
  // An event without an answer always comes again.
  expect(repeated).toBeGreaterThanOrEqual(ROUNDS / 2);
  expect(refusals).toEqual([]);
  expect(printed.match(/whsec_/g)).toHaveLength(1);
  expect(printed).toContain('Stopped. The next start continues after the last forwarded event.');
  expect(printed).not.toContain(api.apiKey);
  report(
    'SIGKILL of partner-hiring-listen',
    `${ROUNDS} rounds: ${JOBS} events in order, ${repeated} repeated, 0 missed`,
  );
}, 300_000);
