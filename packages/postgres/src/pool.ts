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

/** A connection string, or a pool that the host ends. */
export type PostgresConnection =
  | {
      /**
       * `postgres://user:password@host:port/database`, as for `pg`. With several hosts (`db1:5432,db2:5432`),
       * new connections go to the one that accepts writes.
       */
      readonly connectionString: string;
      /** The most connections that this process opens. Default 10. */
      readonly maxConnections?: number;
    }
  | {
      /**
       * A pool of `pg`. Set its `connectionTimeoutMillis`. With `pipeline: true`, its transactions need fewer
       * round trips.
       */
      readonly pool: Pool;
    };

const DEFAULT_MAX = 10;

type OwnConnection = Extract<PostgresConnection, { connectionString: string }>;

export const CONNECTION_OPTIONS: OptionNames<PostgresConnection> = {
  connectionString: true,
  maxConnections: true,
  pool: true,
};

export interface Connections {
  /** Lends a connection to `work`. Closes it afterwards if an error broke it or a transaction may be open. */
  lend<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  readonly max: number;
  /** Whether the connection string names several servers, of which only one accepts writes at a time. */
  readonly hasSeveralServers: boolean;
  close(): Promise<void>;
}

export function openConnections(from: PostgresConnection, timeouts: Timeouts, send: Send): Connections {
  const source = 'pool' in from ? ofHost(from.pool) : openSource(from, timeouts);
  return {
    lend: async (work) => {
      const client = await source.connect().catch((error: unknown) => {
        throw unavailable(error);
      });
      const connection = createConnection(client, send, timeouts.statementMs);
      // Without a listener, an error between two statements would end the process. `lose` stores it for the
      // next call to throw.
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
  // A wrapper around a pool may lack `options`.
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
  // With a single server, skip the role check: it costs a round trip.
  if (hosts.role === 'any' && hosts.addresses.length === 1) {
    return createPoolSource(createPool(connectionString), { isOurs: true, max: maxConnections });
  }
  return createWriterSource({ hosts, createPool, max: maxConnections, withinMs: connectMs });
}
