import pg, { type ClientBase, type ClientConfig } from 'pg';

/**
 * Describes for error messages where a database is and how long the library waits for it. Never contains a password.
 */
export interface Place {
  /** Such as `the PostgreSQL database "hiring" at db.example.com:5432`. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly hasPassword: boolean;
  /** The path of the Unix socket, or null. */
  readonly socket: string | null;
  readonly usesTls: boolean;
  /** Whether the host opened the pool, so that its options are those of `pg`. */
  readonly isOfHost: boolean;
  readonly waits: Waits;
  /** Removes the password from a text. */
  redact(text: string): string;
}

/** A limit in milliseconds, and the option that sets it. Null if there is none. */
export interface Wait {
  readonly ms: number | null;
  readonly option: string | null;
}

export interface Waits {
  readonly connect: Wait;
  readonly statement: Wait;
  readonly lock: Wait;
  readonly connections: { readonly count: number | null; readonly option: string };
}

const NONE: Wait = { ms: null, option: null };
const NO_WAITS: Waits = {
  connect: NONE,
  statement: NONE,
  lock: NONE,
  connections: { count: null, option: '`maxConnections`' },
};

export const UNKNOWN_PLACE: Place = {
  name: 'the PostgreSQL database',
  host: 'the server',
  port: 0,
  database: '',
  user: '',
  hasPassword: true,
  socket: null,
  usesTls: false,
  isOfHost: true,
  waits: NO_WAITS,
  redact: (text) => text,
};

/** The waits of a connection attempt without an option. */
export function waitsWithin(ms: number): Waits {
  return { ...NO_WAITS, connect: { ms, option: null } };
}

interface PlaceTraits {
  readonly isOfHost: boolean;
  readonly waits: Waits;
  /** All hosts, if there are several. */
  readonly servers?: readonly string[];
}

/** Returns the place of a database as `pg` reads it, also from its environment variables. Opens no connection. */
export function placeOf(config: ClientConfig | undefined, traits: PlaceTraits): Place {
  const { isOfHost, waits, servers } = traits;
  if (config === undefined) return { ...UNKNOWN_PLACE, waits };
  const client = clientOf(config);
  if (client === null) return { ...UNKNOWN_PLACE, waits };
  const { host, port, user = '', database = '' } = client;
  const password: unknown = client.password;
  const socket = host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : null;
  // With a stream of the host, such as that of Google's connector, the options do not show where the server is.
  const at =
    config.stream === undefined ? ` at ${servers?.join(', ') ?? socket ?? serverOf(host, port)}` : '';
  return {
    name: `the PostgreSQL database "${database}"${at}`,
    host,
    port,
    database,
    user,
    hasPassword: Boolean(password),
    socket,
    usesTls: Boolean(client.ssl),
    isOfHost,
    waits,
    redact: (text) =>
      typeof password === 'string' && password !== '' ? text.replaceAll(password, '***') : text,
  };
}

/** Returns null if `pg` cannot read the options. The first connection will say so. */
function clientOf(config: ClientConfig): pg.Client | null {
  try {
    return new pg.Client(config);
  } catch {
    return null;
  }
}

/** Returns the place of a connection that the host opened. */
export function placeOfClient(client: ClientBase): Place {
  const { host, port, database } = client as Partial<pg.Client>;
  if (host === undefined || port === undefined) return UNKNOWN_PLACE;
  const name = `the PostgreSQL database "${database ?? ''}" at ${serverOf(host, port)}`;
  const waits = { ...NO_WAITS, statement: { ms: null, option: '`query_timeout` of your connection' } };
  return { ...UNKNOWN_PLACE, name, host, database: database ?? '', waits };
}

export function serverOf(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
