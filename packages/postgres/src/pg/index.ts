import type { Pool, PoolClient } from 'pg';
import type { PostgresTransaction } from '../host-transaction.js';
import { assertPool } from '../pg-objects.js';

/** Opens the transactions of the inbox on a pool of `pg`: `inbox: { transaction: inPg(pool), receive }`. */
export function inPg(pool: Pool) {
  assertPool(pool);
  return async (run: (hostTx: PostgresTransaction, tx: PoolClient) => Promise<void>): Promise<void> => {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('begin');
      await run(client, client);
      await client.query('commit');
    } catch (error) {
      // If the rollback fails, `release(broken)` closes the connection.
      await client.query('rollback').catch((reason: Error) => {
        broken = reason;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  };
}
