/** graphile-worker at its best: many jobs at once, prepared statements, enough connections, LISTEN as it comes. */
import { Logger, makeWorkerUtils, type Runner, run } from 'graphile-worker';
import { Pool } from 'pg';
import { Pool as Connections } from 'undici';
import { obey } from './obey.js';

const [connectionString = '', origin = '', concurrency = '', poolSize = ''] = process.argv.slice(2);
const pgPool = new Pool({ connectionString, max: Number(poolSize) });
// graphile-worker warns about a pool without these.
pgPool.on('error', () => {});
pgPool.on('connect', (client) => client.on('error', () => {}));
const connections = new Connections(origin, { connections: Number(concurrency), pipelining: 1 });
const headers = { 'content-type': 'application/json' };
const logger = new Logger(() => () => {});
const utils = await makeWorkerUtils({ pgPool, logger });
await utils.migrate();

/** As ours does: half a minute for all of it. */
const TIMEOUT_MS = 30_000;

interface Job {
  readonly path: string;
  readonly body: string;
}

async function post(payload: unknown): Promise<void> {
  const { path, body } = payload as Job;
  const { statusCode, body: answer } = await connections.request({
    method: 'POST',
    path,
    headers,
    body,
    headersTimeout: TIMEOUT_MS,
  });
  await answer.dump();
  if (statusCode > 299) throw new Error(`It answered ${statusCode}.`);
}

let runner: Runner | null = null;
obey({
  start: async () => {
    runner = await run({
      pgPool,
      logger,
      concurrency: Number(concurrency),
      noHandleSignals: true,
      useNodeTime: true,
      pollInterval: 1_000,
      taskList: { post },
    });
  },
  stop: async () => runner?.stop(),
  commit: (mark, key) =>
    utils.addJob('post', { path: `/${key}`, body: JSON.stringify({ mark, padding: 'x'.repeat(450) }) }),
});
