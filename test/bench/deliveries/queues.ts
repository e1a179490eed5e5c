import { Client } from 'pg';
import { PgBoss } from 'pg-boss';
import { BODY } from './ours.js';
import { type Sender, startSender } from './sender.js';

/** A job queue that posts, with its database. */
export interface Queue extends Sender {
  /** Adds as many jobs for each path, the paths taking turns. */
  fill(paths: readonly string[], each: number): Promise<void>;
}

/**
 * Connections for 64 jobs at once: twice the default of pg, so that none waits for long.
 */
const GRAPHILE_POOL = 20;
/** Jobs of one insert. */
const CHUNK = 1_000;

/** Starts graphile-worker on a database of its own. */
export async function startGraphile(
  connectionString: string,
  origin: string,
  inFlight: number,
): Promise<Queue> {
  const args = [connectionString, origin, String(inFlight), String(GRAPHILE_POOL)];
  const sender = await startSender('send-graphile.js', args);
  return {
    ...sender,
    fill: async (paths, each) => {
      const client = new Client({ connectionString });
      await client.connect();
      await client.query(
        `select count(*) from (select graphile_worker.add_jobs(array_agg(
           row('post', json_build_object('path', path, 'body', $2::text), null, null, null, null, null, null)
             ::graphile_worker.job_spec order by i))
         from unnest($1::text[]) path, generate_series(1, $3::integer) i group by i % $4) added`,
        [paths, BODY, each, Math.max(1, Math.ceil((paths.length * each) / CHUNK))],
      );
      await client.query('vacuum analyze');
      await client.query('checkpoint');
      await client.end();
    },
  };
}

/** Starts pg-boss on a database of its own. */
export async function startPgBoss(
  connectionString: string,
  origin: string,
  inFlight: number,
): Promise<Queue> {
  const sender = await startSender('send-pg-boss.js', [connectionString, origin, String(inFlight)]);
  return {
    ...sender,
    fill: async (paths, each) => {
      const boss = new PgBoss({ connectionString, supervise: false, schedule: false });
      await boss.start();
      const jobs = Array.from({ length: each }, () =>
        paths.map((path) => ({ data: { path, body: BODY } })),
      ).flat();
      for (let start = 0; start < jobs.length; start += CHUNK) {
        await boss.insert('post', jobs.slice(start, start + CHUNK));
      }
      await boss.stop({ graceful: false });
      const client = new Client({ connectionString });
      await client.connect();
      await client.query('vacuum analyze');
      await client.query('checkpoint');
      await client.end();
    },
  };
}
