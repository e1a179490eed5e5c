import { OperatorError } from '@partner-hiring/core';
import type { OptionNames } from '@partner-hiring/storage-kysely';
import pg, { type Pool } from 'pg';
import { type ClientSource, createPoolSource, createWriterSource } from './client-source.js';
import { type Connection, createConnection } from './connection.js';
import { unavailable } from './errors.js';
import { readHosts } from './hosts.js';
import { assertPool, assertReadsText, closeSocket } from './pg-objects.js';
import type { Send } from './query.js';
import type { Timeouts } from './timeouts.js';

/** Where the database is: an address, or a pool that the host has made and will end. */
export type PostgresConnection =
  | {
      /**
       * `postgres://user:password@host:port/database`, with what else `pg` reads from one. It may name several hosts,
       * `db1:5432,db2:5432`: each new connection then goes to the one that accepts writes.
       */
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

const DEFAULT_MAX = 10;

type OwnConnection = Extract<PostgresConnection, { connectionString: string }>;

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
  /** How many there are at most. */
  readonly max: number;
  /** Whether the address names several servers, one of which accepts writes at a time. */
  readonly hasSeveralServers: boolean;
  /** Ends what the storage opened. */
  close(): Promise<void>;
}

/**
 * Connections of the storage's own, or those of the host's pool.
 *
 * @throws OperatorError `MISCONFIGURED` for what is no pool of pg.
 */
export function openConnections(from: PostgresConnection, timeouts: Timeouts, send: Send): Connections {
  const source = 'pool' in from ? ofHost(from.pool) : openSource(from, timeouts);
  return {
    lend: async (work) => {
      const client = await source.connect().catch((error: unknown) => {
        throw unavailable(error);
      });
      const connection = createConnection(client, send, timeouts.statementMs);
      // The same for one that is lent: whoever waits for its answer, or asks next, gets the error from there.
      client.on('error', connection.lose);
      client.on('notice', connection.hear);
      try {
        assertReadsText(client);
        return await work(connection);
      } finally {
        client.removeListener('error', connection.lose);
        client.removeListener('notice', connection.hear);
        if (!connection.isReusable()) closeSocket(client);
        client.release(!connection.isReusable());
        if (connection.isBroken()) source.suspect();
      }
    },
    max: source.max,
    hasSeveralServers: source.hasSeveralServers,
    close: () => source.close(),
  };
}

function ofHost(pool: Pool): ClientSource {
  assertPool(pool);
  // What a host wraps its pool in may not tell its options.
  return createPoolSource(pool, { isOurs: false, max: pool.options?.max ?? DEFAULT_MAX });
}

function openSource(
  { connectionString, maxConnections = DEFAULT_MAX }: OwnConnection,
  { connectMs }: Timeouts,
): ClientSource {
  if (!Number.isSafeInteger(maxConnections) || maxConnections < 1) {
    throw new OperatorError('MISCONFIGURED', 'maxConnections must be a whole number of 1 or more.');
  }
  const hosts = readHosts(connectionString);
  const createPool = (address: string) =>
    new pg.Pool({
      connectionString: address,
      max: maxConnections,
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      pipeline: true,
      fallback_application_name: 'partner-hiring',
    });
  // A single server is asked nothing, so it costs no round trip more.
  if (hosts.role === 'any' && hosts.addresses.length === 1) {
    return createPoolSource(createPool(connectionString), { isOurs: true, max: maxConnections });
  }
  return createWriterSource({ hosts, createPool, max: maxConnections, withinMs: connectMs });
}
