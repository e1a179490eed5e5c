import { Client, Pool } from 'pg';
import { postgresUrl } from './database.js';

/**
 * Pools of earlier tests, with idle connections. They are reused, because PostgreSQL starts a process for each
 * connection, which takes as long as hundreds of statements.
 */
const left: KeptPool[] = [];

/** The database and the client of a pool. By default, the database of this run and pg's own client. */
export interface PoolTarget {
  readonly url?: string;
  readonly Client?: typeof Client;
}

interface KeptPool {
  readonly pool: Pool;
  readonly url: string;
  readonly Client: typeof Client;
}

const lent = new WeakMap<Pool, KeptPool>();

/** Returns a pool of an earlier test with the same target, or a new one. */
export function takePool(target: PoolTarget = {}): Pool {
  const { url = postgresUrl(), Client: Own = Client } = target;
  const known = left.findIndex((each) => each.url === url && each.Client === Own);
  const [kept] = known === -1 ? [] : left.splice(known, 1);
  if (kept !== undefined) return kept.pool;
  const pool = new Pool({
    connectionString: url,
    Client: Own,
    max: 10,
    pipeline: true,
    allowExitOnIdle: true,
  });
  // While no storage listens, a lost connection must not end the process.
  pool.on('error', () => {});
  lent.set(pool, { pool, url, Client: Own });
  return pool;
}

/** Keeps the pool for another test. Close its storage first. Ends a pool that still lends a connection. */
export async function leavePool(pool: Pool): Promise<void> {
  const kept = lent.get(pool);
  if (pool.ended) return;
  if (kept !== undefined && pool.totalCount === pool.idleCount && pool.waitingCount === 0) left.push(kept);
  else await pool.end();
}
