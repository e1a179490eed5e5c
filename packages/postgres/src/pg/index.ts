import { assertHandle } from '@partner-hiring/storage-kysely';
import type { ClientBase, Pool, PoolClient } from 'pg';
import type { PostgresTransaction } from '../host-transaction.js';
import { assertPool, isClient } from '../pg-objects.js';

/**
 * Checks a connection of `pg` and returns it. `operator.within` also takes the connection itself.
 * @example
 * ```ts
 * await client.query('begin');
 * await client.query('insert into payroll_entry (application_id) values ($1)', [applicationId]);
 * await operator.within(fromPg(client)).applications.decide({ id: applicationId, decision: 'accepted' });
 * await client.query('commit');
 * ```
 * @throws OperatorError `MISCONFIGURED` for a pool, or for another library's transaction.
 */
export function fromPg<Client extends ClientBase>(client: Client): Client {
  assertHandle(isClient(client), 'fromPg takes a connection of `pool.connect()`, on which you ran `begin`.');
  return client;
}

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
