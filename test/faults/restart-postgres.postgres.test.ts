/** PostgreSQL crashes and restarts under load. The processes survive and lose nothing. */

import { startPostgresServer } from '@partner-hiring/test-support/postgres/server';
import { Client } from 'pg';
import { afterAll, it } from 'vitest';
import { expectToSurvive } from './stage/crash-storm.js';
import { createHttpClient } from './stage/http-client.js';
import { openPlatform } from './stage/platform.js';
import { startReceiver } from './stage/receiver.js';
import { sized } from './stage/size.js';

const CRASHES = sized(5, 1);

const http = createHttpClient();
const [server, receiver] = await Promise.all([startPostgresServer(), startReceiver()]);
const platform = await openPlatform(server.url);
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
  await expectToSurvive({
    platform,
    receiver,
    http,
    crashes: CRASHES,
    betweenMs: sized(2_000, 600),
    deliveredWithinMs: 60_000,
    crash: () => server.crash(),
    restore: async () => {
      const [upAt] = await Promise.all([answersAgain(), server.restart()]);
      return upAt;
    },
    words: { title: 'PostgreSQL restarted with -m immediate', subject: 'the server' },
  });
}, 300_000);
