import { Pool } from 'pg';
import { postgresUrl } from './database.js';

/**
 * Pools of earlier tests, with idle connections. For each connection, PostgreSQL starts a process, which takes as long as
 * hundreds of statements.
 */
const left: Pool[] = [];

/** Returns a pool of an earlier test on the database of this run, or a new one. */
export function takePool(): Pool {
  const known = left.pop();
  if (known !== undefined) return known;
  const pool = new Pool({
    connectionString: postgresUrl(),
    max: 10,
    pipeline: true,
    allowExitOnIdle: true,
  });
  // While no storage listens, a lost connection must not end the process.
  pool.on('error', () => {});
  return pool;
}

/** Keeps the pool for another test. Close its storage first. Ends a pool that still lends a connection. */
export async function leavePool(pool: Pool): Promise<void> {
  if (pool.totalCount === pool.idleCount && pool.waitingCount === 0) left.push(pool);
  else await pool.end();
}
