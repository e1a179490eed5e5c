import { OperatorError } from '@partner-hiring/core';
import type { OptionNames } from '@partner-hiring/storage-kysely';
import pg, { type Pool, type PoolClient } from 'pg';
import { type Connection, createConnection } from './connection.js';
import { assertReadable } from './connection-string.js';
import { unavailable } from './errors.js';
import { assertPool, assertReadsText } from './pg-objects.js';
import type { Send } from './query.js';
import type { Timeouts } from './timeouts.js';

/** Where the database is: an address, or a pool that the host has made and will end. */
export type PostgresConnection =
  | {
      /** `postgres://user:password@host:port/database`, with what else `pg` reads from one. */
      readonly connectionString: string;
      /** The connections that this process opens at most. Default 10. */
      readonly maxConnections?: number;
    }
  | {
      /**
       * A pool of `pg`. With `pipeline: true` among its options a transaction takes fewer round trips. Its
       * `connectionTimeoutMillis` should be set.
       */
      readonly pool: Pool;
    };

/** The options that say where the database is. */
export const CONNECTION_OPTIONS: OptionNames<PostgresConnection> = {
  connectionString: true,
  maxConnections: true,
  pool: true,
};

/** The connections of one process. */
export interface Connections {
  /**
   * Lends a connection for as long as the work lasts. It goes back whole or not at all: one that an error has
   * broken, or may have left in a transaction, is closed.
   */
  lend<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** Ends what the storage opened. */
  close(): Promise<void>;
}

/**
 * Connections of the storage's own, or those of the host's pool.
 *
 * @throws OperatorError `MISCONFIGURED` for what is no pool of pg.
 */
export function openConnections(from: PostgresConnection, timeouts: Timeouts, send: Send): Connections {
  const isOurs = !('pool' in from);
  const pool = isOurs ? createPool(from, timeouts) : from.pool;
  assertPool(pool);
  // A connection that dies while nobody uses it: the pool has already removed it, and opens another one when it
  // is needed. Without a listener the process would end.
  const ignore = () => {};
  pool.on('error', ignore);
  // A new one is nobody's until the promise of it has resolved, and may die before.
  const attend = (client: PoolClient) => {
    client.on('error', ignore);
    setImmediate(() => client.removeListener('error', ignore));
  };
  pool.on('connect', attend);

  return {
    lend: async (work) => {
      const client = await pool.connect().catch((error: unknown) => {
        throw unavailable(error);
      });
      const connection = createConnection(client, send, timeouts.statementMs);
      // The same for one that is lent: whoever waits for its answer, or asks next, gets the error from there.
      client.on('error', connection.lose);
      try {
        assertReadsText(client);
        return await work(connection);
      } finally {
        client.removeListener('error', connection.lose);
        client.release(!connection.isReusable());
      }
    },
    close: async () => {
      // Ours is listened to for good: its last connections may still break off as they end.
      if (isOurs) return pool.end();
      pool.removeListener('error', ignore);
      pool.removeListener('connect', attend);
    },
  };
}

function createPool(
  { connectionString, maxConnections = 10 }: Extract<PostgresConnection, { connectionString: string }>,
  { connectMs }: Timeouts,
): Pool {
  if (!Number.isSafeInteger(maxConnections) || maxConnections < 1) {
    throw new OperatorError('MISCONFIGURED', 'maxConnections must be a whole number of 1 or more.');
  }
  assertReadable(connectionString);
  return new pg.Pool({
    connectionString,
    max: maxConnections,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    pipeline: true,
    fallback_application_name: 'partner-hiring',
  });
}
