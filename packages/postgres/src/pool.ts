import { type StorageOptionNames, storageMisconfiguration } from '@partner-hiring/storage-kysely';
import pg, { type Pool } from 'pg';
import { type ClientSource, createPoolSource, createWriterSource } from './client-source.js';
import { createPostgresConnection, type ServerConnection } from './connection.js';
import { configOf, readHosts } from './connection-string.js';
import { unreachable } from './errors.js';
import { type Place, placeOf, serverOf, type Waits } from './outages/place.js';
import { assertPool, assertReadsText, closeSocket } from './pg-objects.js';
import type { Send } from './query.js';
import type { Timeouts } from './timeouts.js';
import type { PostgresTls } from './tls.js';

/** A connection string, or a pool that the host ends. */
export type PostgresConnection =
  | {
      /**
       * `postgres://user:password@host:port/database`, as for `pg`. With several hosts (`db1:5432,db2:5432`),
       * new connections go to the one that accepts writes.
       */
      readonly connectionString: string;
      /** The most connections that this process opens. Default 10. */
      readonly maxConnections?: number | undefined;
      /**
       * Whether to encrypt the connection, and how to check the server's certificate. Replaces `sslmode` and the other
       * parameters of TLS in the connection string.
       */
      readonly tls?: boolean | PostgresTls | undefined;
      /**
       * Whether to send several statements of a transaction before their results arrive. Default true. Disable it for
       * a pooler that releases its connection at the first result, such as Supavisor or pgdog.
       */
      readonly pipeline?: boolean | undefined;
    }
  | {
      /**
       * A pool of `pg`. Set its `connectionTimeoutMillis`. With `pipeline: true`, its transactions need fewer
       * round trips.
       */
      readonly pool: Pool;
    };

const DEFAULT_MAX = 10;

type UrlConnection = Extract<PostgresConnection, { connectionString: string }>;

export const POOL_OPTIONS: StorageOptionNames<PostgresConnection> = {
  connectionString: true,
  maxConnections: true,
  tls: true,
  pipeline: true,
  pool: true,
};

export interface PoolConnections {
  /** Lends a connection to `work`. Closes it afterwards if an error broke it or a transaction may be open. */
  lend<T>(work: (connection: ServerConnection) => Promise<T>): Promise<T>;
  readonly max: number;
  /** Where the database is, for error messages. */
  readonly place: Place;
  /** Whether the connection string names several servers, of which only one accepts writes at a time. */
  readonly hasSeveralServers: boolean;
  close(): Promise<void>;
}

/**
 * @param optionOf - returns the name of a timeout's option, for error messages. Null if the caller sets the timeouts.
 */
export function openPool(
  from: PostgresConnection,
  timeouts: Timeouts,
  send: Send,
  optionOf: ((name: keyof Timeouts) => string) | null = (name) => `\`timeouts.${name}\``,
): PoolConnections {
  const waits = waitsOf(from, timeouts, optionOf);
  const { source, place } = 'pool' in from ? ofHost(from.pool, waits) : openSource(from, timeouts, waits);
  return {
    lend: async (work) => {
      const client = await source.connect().catch((error: unknown) => {
        throw unreachable(error, place);
      });
      const connection = createPostgresConnection(client, send, timeouts.statementMs);
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
    place,
    hasSeveralServers: source.hasSeveralServers,
    close: () => source.close(),
  };
}

interface Opened {
  readonly source: ClientSource;
  readonly place: Place;
}

function waitsOf(
  from: PostgresConnection,
  timeouts: Timeouts,
  optionOf: ((name: keyof Timeouts) => string) | null,
): Waits {
  const wait = (name: keyof Timeouts) => ({ ms: timeouts[name], option: optionOf?.(name) ?? null });
  const waits = { connect: wait('connectMs'), statement: wait('statementMs'), lock: wait('lockMs') };
  if (!('pool' in from)) {
    const count = from.maxConnections ?? DEFAULT_MAX;
    return { ...waits, connections: { count, option: '`maxConnections`' } };
  }
  // A wrapper around a pool may lack `options`.
  const { connectionTimeoutMillis: ms = null, max = null } = from.pool?.options ?? {};
  return {
    ...waits,
    // 0 means no timeout.
    connect: { ms: ms === 0 ? null : ms, option: '`connectionTimeoutMillis` of your pool' },
    connections: { count: max, option: '`max` of your pool' },
  };
}

function ofHost(pool: Pool, waits: Waits): Opened {
  assertPool(pool);
  return {
    source: createPoolSource(pool, { isOurs: false, max: pool.options?.max ?? DEFAULT_MAX }),
    place: placeOf(pool.options, { isOfHost: true, waits }),
  };
}

function openSource(
  { connectionString, maxConnections = DEFAULT_MAX, tls, pipeline = true }: UrlConnection,
  { connectMs }: Timeouts,
  waits: Waits,
): Opened {
  if (!Number.isSafeInteger(maxConnections) || maxConnections < 1) {
    throw storageMisconfiguration('maxConnections must be a whole number of 1 or more.');
  }
  const hosts = readHosts(connectionString, tls);
  const createPool = (address: string) =>
    new pg.Pool({
      ...configOf(hosts, address),
      max: maxConnections,
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      pipeline,
      fallback_application_name: 'partner-hiring',
    });
  const { addresses, role } = hosts;
  const [first] = addresses;
  const places = addresses.map((address) => placeOf(configOf(hosts, address), { isOfHost: false, waits }));
  const servers = places.map(({ host, port, socket }) => socket ?? serverOf(host, port));
  const place = placeOf(configOf(hosts, first), { isOfHost: false, waits, servers });
  // With a single server, skip the role check: it costs a round trip.
  const source =
    role === 'any' && addresses.length === 1
      ? createPoolSource(createPool(first), { isOurs: true, max: maxConnections })
      : createWriterSource({ hosts, createPool, max: maxConnections, withinMs: connectMs, waits });
  return { source, place };
}
