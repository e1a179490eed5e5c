/** The node that has the tables is killed in a storm of submissions, again and again. */
import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, it } from 'vitest';
import { expectToSurvive } from '../faults/stage/crash-storm.js';
import { createHttpClient } from '../faults/stage/http-client.js';
import { openPlatform, type Platform } from '../faults/stage/platform.js';
import { type Receiver, startReceiver } from '../faults/stage/receiver.js';
import { sized } from '../faults/stage/size.js';

const KILLS = sized(10, 3);
const DOWN_MS = 500;

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
  await expectToSurvive({
    platform,
    receiver,
    http,
    crashes: KILLS,
    betweenMs: sized(2_000, 1_000),
    deliveredWithinMs: 120_000,
    crash: async () => {
      await runOnNode('CITUS_STOP_NODE');
      await pause(DOWN_MS);
    },
    restore: async () => {
      await runOnNode('CITUS_START_NODE');
      return performance.now();
    },
    words: { title: 'A node of Citus killed', subject: 'the node' },
  });
}, 600_000);
