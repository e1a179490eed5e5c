/** The primary is lost in a storm, again and again: the standby takes over, and nothing promised is lost. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newCandidate, submissionOf } from '../faults/stage/candidate.js';
import { type Host, startHost } from '../faults/stage/host.js';
import { createHttpClient } from '../faults/stage/http-client.js';
import { openPlatform, type Platform, type Tenant } from '../faults/stage/platform.js';
import { type Receiver, startReceiver } from '../faults/stage/receiver.js';
import { allDelivered, deliveredAgain, expectEachOnce } from '../faults/stage/reckoning.js';
import type { Replica } from '../faults/stage/replicas.js';
import { inWords, median, quantile, report, sized } from '../faults/stage/size.js';
import { type Storm, startStorm } from '../faults/stage/storm.js';
import { type ServerPair, startServerPair } from './server-pair.js';

const PROMOTIONS = sized(20, 2);
const CLIENTS = 16;
const KEYS = 8;
/** How long it storms before each failover, and after the last one. */
const BETWEEN_MS = sized(1_500, 600);
const FROZEN_MS = sized(12_000, 5_000);
/** A second until a commit is overdue, then the server is asked; on a machine that does other things too. */
const NOTICED_MS = 4_000;
/** Refused at once, beside a storm on two cores. */
const PROMPT_MS = 1_000;
/** Short, so that a worker whose lease ran out during the outage is not waited for. */
const LEASE_MS = 3_000;
const DELIVERED_WITHIN_MS = 120_000;

const http = createHttpClient();
let servers: ServerPair;
let platform: Platform;
let receiver: Receiver;
let tenants: readonly Tenant[];
let apis: readonly Replica[];
let worker: Replica;
let storm: Storm;
let host: Host;
beforeAll(async () => {
  [servers, receiver] = await Promise.all([startServerPair(), startReceiver()]);
  platform = await openPlatform(servers.url);
  tenants = await platform.tenants(KEYS, receiver.url);
  const api = () => platform.startApi();
  [apis, worker] = await Promise.all([Promise.all([api(), api()]), platform.startWorker(LEASE_MS)]);
  storm = startStorm({ clients: CLIENTS, tenants, http, replicas: () => apis });
  host = startHost(platform.fixture, storm.acknowledged);
}, 120_000);
afterAll(async () => {
  http.close();
  await platform?.close();
  await servers?.close();
  await receiver?.close();
});

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** How long it takes until the storm has a 201 that came after now. */
async function nextAcknowledged(): Promise<number> {
  const from = performance.now();
  const before = storm.acknowledged.length;
  while (storm.acknowledged.length === before) await pause(1);
  return (storm.acknowledged[before]?.at ?? from) - from;
}

it(`the primary is lost ${PROMOTIONS} times, and the standby promoted: service resumes by itself`, async () => {
  const atOnceMs: number[] = [];
  const withStandbyMs: number[] = [];
  for (let round = 0; round < PROMOTIONS; round += 1) {
    await pause(BETWEEN_MS);
    if (round % 2 === 0) {
      await servers.failOver('at_once');
      atOnceMs.push(await nextAcknowledged());
      await servers.rebuild();
    } else {
      await servers.failOver('with_a_standby');
      await servers.rebuild();
      withStandbyMs.push(await nextAcknowledged());
    }
  }
  const words = (ms: readonly number[]) => `${inWords(median(ms))}, at worst ${inWords(Math.max(...ms))}`;
  report(
    'The primary killed, its synchronous standby promoted',
    `${PROMOTIONS} times: first 201 after the promotion ${words(atOnceMs)}; where it waits for a new standby, after that ` +
      `is synchronous ${words(withStandbyMs)}`,
  );
}, 600_000);

/** Submits a candidate once; when it was answered, and how. */
async function submitOnce(number: number) {
  const tenant = tenants[number % tenants.length] as Tenant;
  const api = apis[number % apis.length] as Replica;
  const startedAt = performance.now();
  const answer = await http.send(submissionOf(api.url, tenant.secret, newCandidate(tenant.jobId)));
  return { answer, tookMs: performance.now() - startedAt };
}

it('the standby is frozen: no 201 until it goes on, 503 at once, lists as ever', async () => {
  await pause(BETWEEN_MS);
  servers.standby.signal('SIGSTOP');
  // What the standby had confirmed may still be on its way.
  await pause(100);
  const before = storm.acknowledged.length;
  await pause(NOTICED_MS);
  const until = performance.now() + FROZEN_MS - NOTICED_MS;
  const refusedMs: number[] = [];
  const listedMs: number[] = [];
  for (let number = 0; performance.now() < until; number += 1) {
    const { answer, tookMs } = await submitOnce(number);
    expect([answer?.status, answer?.headers['retry-after']]).toEqual([503, '5']);
    refusedMs.push(tookMs);
    const { tookMs: listMs, status } = await listJobs(number);
    expect(status).toBe(200);
    listedMs.push(listMs);
  }
  expect(storm.acknowledged.length).toBe(before);
  expect(quantile(refusedMs, 0.99)).toBeLessThan(PROMPT_MS);

  servers.standby.signal('SIGCONT');
  const backMs = await nextAcknowledged();
  report(
    'The synchronous standby frozen',
    `for ${inWords(FROZEN_MS)}: no 201; after ${inWords(NOTICED_MS)}, ${refusedMs.length} × 503 in ` +
      `${inWords(median(refusedMs))} (99 %: ${inWords(quantile(refusedMs, 0.99))}), lists in ${inWords(median(listedMs))}; ` +
      `first 201 ${inWords(backMs)} after it went on`,
  );
}, 120_000);

async function listJobs(number: number) {
  const tenant = tenants[number % tenants.length] as Tenant;
  const api = apis[number % apis.length] as Replica;
  const startedAt = performance.now();
  const headers = { authorization: `Bearer ${tenant.secret}`, 'x-request-id': randomUUID() };
  const answer = await http.send({ method: 'GET', url: `${api.url}/jobs`, headers });
  return { status: answer?.status, tookMs: performance.now() - startedAt };
}

it('the primary is lost while the standby is frozen: nothing that it had not confirmed was promised', async () => {
  await pause(BETWEEN_MS);
  servers.standby.signal('SIGSTOP');
  await pause(NOTICED_MS);
  const { standby } = servers;
  const promoting = servers.failOver('at_once');
  standby.signal('SIGCONT');
  await promoting;
  await nextAcknowledged();
  await servers.rebuild();
}, 120_000);

it('then every candidate that has a 201 is there once, every decision is delivered, and no process has ended', async () => {
  await pause(BETWEEN_MS);
  await storm.end();
  await host.end();
  await allDelivered(host.decided, receiver, DELIVERED_WITHIN_MS);
  expect([...apis, worker].map((replica) => replica.isRunning())).toEqual([true, true, true]);
  expect(storm.acknowledged.length).toBeGreaterThan(PROMOTIONS * CLIENTS);
  await expectEachOnce(platform.database, storm.acknowledged);
  expect(receiver.ambiguous).toEqual([]);
  const retried = storm.acknowledged.filter(({ attempts }) => attempts > 1).length;
  report(
    'All of this',
    `${storm.acknowledged.length} candidates, ${retried} retried, 0 lost, 0 doubled; ${host.decided.length} events, ` +
      `0 missing, ${deliveredAgain(receiver)} repeated; no process ended`,
  );
}, 300_000);
