/**
 * pg-boss at its best: not its `work`, which waits for a whole batch before it fetches the next, but batches
 * fetched ahead of those under way, and completed together.
 */
import { PgBoss } from 'pg-boss';
import { Pool } from 'undici';
import { obey } from './obey.js';

const [connectionString = '', origin = '', concurrency = ''] = process.argv.slice(2);
const QUEUE = 'post';
const BATCH = 200;
/** So that one is fetched and one completed while one is sent. */
const LOOPS = 3;
const IDLE_MS = 20;

const boss = new PgBoss({ connectionString, max: 10, supervise: false, schedule: false });
boss.on('error', () => {});
await boss.start();
await boss.createQueue(QUEUE);
const connections = new Pool(origin, { connections: Number(concurrency), pipelining: 1 });
const headers = { 'content-type': 'application/json' };

interface Job {
  readonly path: string;
  readonly body: string;
}

async function post({ path, body }: Job): Promise<void> {
  // The pool's connections hold what is in flight to the limit.
  const { body: answer } = await connections.request({ method: 'POST', path, headers, body });
  await answer.dump();
}

let isStopping = false;
let loops: readonly Promise<void>[] = [];

async function loop(): Promise<void> {
  while (!isStopping) {
    const jobs = await boss.fetch<Job>(QUEUE, { batchSize: BATCH });
    if (jobs.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
      continue;
    }
    await Promise.all(jobs.map(({ data }) => post(data)));
    await boss.complete(
      QUEUE,
      jobs.map(({ id }) => id),
    );
  }
}

obey({
  start: () => {
    isStopping = false;
    loops = Array.from({ length: LOOPS }, loop);
  },
  stop: async () => {
    isStopping = true;
    await Promise.all(loops);
  },
});
