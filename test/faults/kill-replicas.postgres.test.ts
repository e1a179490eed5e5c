/** Killed replicas keep their promises, and others take over their work. */
import { type Row, syncOnce } from '@partner-hiring/test-support/client/sync-copy';
import { tableOf } from '@partner-hiring/test-support/postgres/database';
import { afterAll, expect, it } from 'vitest';
import { startHost } from './stage/host.js';
import { createHttpClient } from './stage/http-client.js';
import { openPlatform, type Tenant } from './stage/platform.js';
import { startReceiver } from './stage/receiver.js';
import { allDelivered, deliveredAgain, expectEachOnce } from './stage/reckoning.js';
import type { Replica } from './stage/replicas.js';
import { inWords, median, report, sized } from './stage/size.js';
import { type Acknowledged, startStorm } from './stage/storm.js';

/** Short leases repeat the takeover often; the default of 90 s shows how long a host waits. */
const ATTACKS = sized(
  [
    { rounds: 20, leaseMs: 3_000 },
    { rounds: 2, leaseMs: 90_000 },
  ],
  [{ rounds: 2, leaseMs: 3_000 }],
);
const CLIENTS = 16;
const KEYS = 8;
/** How long clients submit before and after the kill. */
const BEFORE_MS = { min: 300, spread: 500 };
const AFTER_MS = 400;
/** Time for the next poll and a backlog after the lease expired. */
const RECOVERED_AFTER_LEASE_MS = 30_000;

const http = createHttpClient();
/** Of all tests, which share the database. */
const acknowledged: Acknowledged[] = [];
/** The decided applications of all tests. */
const decidedInAll: string[] = [];
const [platform, receiver] = await Promise.all([
  openPlatform(undefined, undefined, { selfService: { events: true } }),
  startReceiver(),
]);
const tenants = await platform.tenants(KEYS, receiver.url);
afterAll(async () => {
  http.close();
  await platform.close();
  await receiver.close();
});

/** Returns the applications whose decisions `GET /events` lists for a key. */
async function fetchDecided(tenant: Tenant): Promise<readonly string[]> {
  const ids: string[] = [];
  await syncOnce(
    tenant,
    '/events',
    () => 200,
    null,
    ({ type, data }) => {
      if (type === 'application.status_changed') ids.push(String((data as Row).applicationId));
    },
  );
  return ids;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Returns the worker with the most leases. */
async function busierOf(workers: readonly Replica[]): Promise<number> {
  const { database } = platform;
  const leased = await database.run(
    `select lease_token from ${tableOf(database, 'ph_endpoint')} where lease_token is not null`,
  );
  const held = workers.map(
    ({ pid }) => leased.filter(({ lease_token }) => String(lease_token).startsWith(`${pid}-`)).length,
  );
  return held.indexOf(Math.max(...held));
}

it.each(ATTACKS)(
  'loses and doubles nothing when API and worker are killed $rounds times with leases of $leaseMs ms',
  async ({ rounds, leaseMs }) => {
    const { startApi } = platform;
    const startWorker = () => platform.startWorker(leaseMs);
    const [api, otherApi, ...workers] = await Promise.all([
      startApi(),
      startApi(),
      startWorker(),
      startWorker(),
    ]);
    const apis = [api, otherApi];
    const candidatesBefore = acknowledged.length;
    const againBefore = deliveredAgain(receiver);
    const decided: string[] = [];
    const recoveredMs: number[] = [];

    for (let round = 0; round < rounds; round += 1) {
      const storm = startStorm({ clients: CLIENTS, tenants, http, replicas: () => apis });
      const host = startHost(platform.fixture, storm.acknowledged);
      await pause(BEFORE_MS.min + Math.random() * BEFORE_MS.spread);
      const victims = { api: round % 2, worker: await busierOf(workers) };
      const killedAt = performance.now();
      await Promise.all([apis[victims.api]?.kill(), workers[victims.worker]?.kill()]);
      await pause(AFTER_MS);
      // A slow machine needs longer for an attack.
      await expect.poll(() => storm.acknowledged.length).toBeGreaterThan(CLIENTS);
      await storm.end();
      await host.end();
      const lastAt = await allDelivered(host.decided, receiver, leaseMs + RECOVERED_AFTER_LEASE_MS);
      recoveredMs.push(Math.max(0, lastAt - killedAt));
      acknowledged.push(...storm.acknowledged);
      decided.push(...host.decided);
      if (round + 1 < rounds) {
        [apis[victims.api], workers[victims.worker]] = (await Promise.all([startApi(), startWorker()])) as [
          Replica,
          Replica,
        ];
      }
    }
    await Promise.all([...apis, ...workers].map((replica) => replica.kill()));
    const fetched = (await Promise.all(tenants.map(fetchDecided))).flat();
    decidedInAll.push(...decided);
    expect(fetched.sort()).toEqual([...decidedInAll].sort());

    const candidates = acknowledged.slice(candidatesBefore);
    expect(candidates.length).toBeGreaterThan(rounds * CLIENTS);
    await expectEachOnce(platform.database, acknowledged);
    expect(decided.length).toBeGreaterThan(rounds);
    expect(receiver.ambiguous).toEqual([]);
    const retried = candidates.filter(({ attempts }) => attempts > 1).length;
    report(
      'SIGKILL of an API replica and a worker',
      `${rounds} rounds: ${candidates.length} candidates, ${retried} retried, 0 lost, 0 doubled; ` +
        `${decided.length} events, 0 missing, ${deliveredAgain(receiver) - againBefore} repeated; recovered in ` +
        `${inWords(median(recoveredMs))}, at worst ${inWords(Math.max(...recoveredMs))}, with leases of ${inWords(leaseMs)}`,
    );
  },
  600_000,
);
