/** The node that has the tables is killed in a storm of submissions, again and again. */
import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHost } from '../faults/stage/host.js';
import { createHttpClient } from '../faults/stage/http-client.js';
import { openPlatform, type Platform } from '../faults/stage/platform.js';
import { type Receiver, startReceiver } from '../faults/stage/receiver.js';
import { allDelivered, deliveredAgain, expectEachOnce } from '../faults/stage/reckoning.js';
import { inWords, median, report, sized } from '../faults/stage/size.js';
import { startStorm } from '../faults/stage/storm.js';

const KILLS = sized(10, 3);
const CLIENTS = 16;
const KEYS = 8;
/** How long clients submit around each kill. */
const BETWEEN_MS = sized(2_000, 1_000);
const DOWN_MS = 500;
/** Short, because leases expire during the outage. */
const LEASE_MS = 3_000;
const DELIVERED_WITHIN_MS = 120_000;

const shell = promisify(exec);
const http = createHttpClient();
let platform: Platform;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  platform = await openPlatform();
});
afterAll(async () => {
  http.close();
  await platform?.close();
  await receiver?.close();
});

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Runs the command of an option, with the address of the node in the environment. */
async function runOnNode(command: 'CITUS_STOP_NODE' | 'CITUS_START_NODE'): Promise<void> {
  const { database } = platform;
  const [node] = await database.run(
    'select nodename, nodeport from citus_shards where table_name = $1::regclass',
    [`${database.schema}.ph_application`],
  );
  const env = { ...process.env, NODE_HOST: String(node?.nodename), NODE_PORT: String(node?.nodeport) };
  await shell(process.env[command] ?? '', { env });
}

it(`loses and doubles nothing when the node is killed ${KILLS} times`, async () => {
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

  for (let kill = 0; kill < KILLS; kill += 1) {
    await pause(BETWEEN_MS);
    await runOnNode('CITUS_STOP_NODE');
    await pause(DOWN_MS);
    await runOnNode('CITUS_START_NODE');
    const [before, upAt] = [storm.acknowledged.length, performance.now()];
    while (storm.acknowledged.length === before) await pause(1);
    backMs.push((storm.acknowledged[before]?.at ?? upAt) - upAt);
  }
  await pause(BETWEEN_MS);
  await storm.end();
  await host.end();
  await allDelivered(host.decided, receiver, DELIVERED_WITHIN_MS);

  expect([...apis, worker].map((replica) => replica.isRunning())).toEqual([true, true, true]);
  expect(storm.acknowledged.length).toBeGreaterThan(KILLS * CLIENTS);
  await expectEachOnce(platform.database, storm.acknowledged);
  expect(receiver.ambiguous).toEqual([]);
  const retried = storm.acknowledged.filter(({ attempts }) => attempts > 1).length;
  report(
    'A node of Citus killed',
    `${KILLS} times: ${storm.acknowledged.length} candidates, ${retried} retried, 0 lost, 0 doubled; ` +
      `${host.decided.length} events, 0 missing, ${deliveredAgain(receiver)} sent again; first 201 ` +
      `${inWords(median(backMs))} after the node was up, at worst ${inWords(Math.max(...backMs))}; no process ended`,
  );
}, 600_000);
