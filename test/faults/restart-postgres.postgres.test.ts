/** PostgreSQL crashes and restarts under load. The processes survive and lose nothing. */

import { type OwnPostgres, startOwnPostgres } from '@partner-hiring/test-support/postgres/server';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHost } from './stage/host.js';
import { createHttpClient } from './stage/http-client.js';
import { openPlatform, type Platform } from './stage/platform.js';
import { type Receiver, startReceiver } from './stage/receiver.js';
import { allDelivered, deliveredAgain, expectEachOnce } from './stage/reckoning.js';
import { inWords, median, report, sized } from './stage/size.js';
import { startStorm } from './stage/storm.js';

const CRASHES = sized(5, 1);
const CLIENTS = 16;
const KEYS = 8;
/** How long clients submit around each crash. */
const BETWEEN_MS = sized(2_000, 600);
/** Short, because leases expire during the outage. */
const LEASE_MS = 3_000;
const DELIVERED_WITHIN_MS = 60_000;

const http = createHttpClient();
let server: OwnPostgres;
let platform: Platform;
let receiver: Receiver;
beforeAll(async () => {
  [server, receiver] = await Promise.all([startOwnPostgres(), startReceiver()]);
  platform = await openPlatform(server.url);
});
afterAll(async () => {
  http.close();
  await platform?.close();
  await server?.stop();
  await receiver?.close();
});

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Resolves when the server accepts connections. */
async function answersAgain(): Promise<number> {
  for (;;) {
    const client = new Client({ connectionString: server.url, connectionTimeoutMillis: 2_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      const at = performance.now();
      await client.end();
      return at;
    } catch {
      await pause(5);
    }
  }
}

it(`loses and doubles nothing when PostgreSQL crashes ${CRASHES} times`, async () => {
  const tenants = await platform.tenants(KEYS, receiver.url);
  const [api, otherApi, worker] = await Promise.all([
    platform.startApi(),
    platform.startApi(),
    platform.startWorker(LEASE_MS),
  ]);
  const apis = [api, otherApi];
  const storm = startStorm({ clients: CLIENTS, tenants, http, replicas: () => apis });
  const host = startHost(platform.fixture, storm.acknowledged);
  const backMs: number[] = [];

  for (let crash = 0; crash < CRASHES; crash += 1) {
    await pause(BETWEEN_MS);
    await server.crash();
    const before = storm.acknowledged.length;
    const [upAt] = await Promise.all([answersAgain(), server.restart()]);
    while (storm.acknowledged.length === before) await pause(1);
    const first = storm.acknowledged[before];
    if (first !== undefined) backMs.push(Math.max(0, first.at - upAt));
  }
  await pause(BETWEEN_MS);
  await storm.end();
  await host.end();
  await allDelivered(host.decided, receiver, DELIVERED_WITHIN_MS);

  expect([...apis, worker].map((replica) => replica.isRunning())).toEqual([true, true, true]);
  expect(storm.acknowledged.length).toBeGreaterThan(CRASHES * CLIENTS);
  await expectEachOnce(platform.database, storm.acknowledged);
  expect(receiver.ambiguous).toEqual([]);
  const retried = storm.acknowledged.filter(({ attempts }) => attempts > 1).length;
  report(
    'PostgreSQL restarted with -m immediate',
    `${CRASHES} times: ${storm.acknowledged.length} candidates, ${retried} retried, 0 lost, 0 doubled; ` +
      `${host.decided.length} events, 0 missing, ${deliveredAgain(receiver)} sent again; first 201 ` +
      `${inWords(median(backMs))} after the server was up, at worst ${inWords(Math.max(...backMs))}; no process ended`,
  );
}, 300_000);
