import { isAnyError } from '@partner-hiring/storage-kysely';
import type { Pool, PoolClient } from 'pg';
import type { Hosts } from './connection-string.js';
import { assertRole, findWriter } from './find-writer.js';
import type { Waits } from './outages/place.js';

export interface ClientSource {
  connect(): Promise<PoolClient>;
  /** Makes all connections check their server again, because a broken connection may mean a failover. */
  suspect(): void;
  close(): Promise<void>;
  readonly max: number;
  readonly hasSeveralServers: boolean;
}

interface PoolTraits {
  readonly isOurs: boolean;
  readonly max: number;
}

export function createPoolSource(pool: Pool, { isOurs, max }: PoolTraits): ClientSource {
  const leave = attend(pool);
  return {
    connect: () => pool.connect(),
    suspect: () => {},
    // Keeps the listeners of our own pool, because its last connections may break while the pool ends.
    close: async () => (isOurs ? pool.end() : leave()),
    max,
    hasSeveralServers: false,
  };
}

interface WriterSourceOptions {
  readonly hosts: Hosts;
  readonly createPool: (address: string) => Pool;
  readonly max: number;
  readonly withinMs: number;
  readonly waits: Waits;
}

interface Writer {
  readonly address: string;
  readonly pool: Pool;
  /** The connections whose server was checked since a connection last broke. */
  asked: WeakSet<PoolClient>;
}

/** Shorter than a promotion. */
const ASK_AGAIN_AFTER_MS = 100;

/**
 * Creates a source that checks the server of each new connection. If the server no longer accepts writes, the
 * source finds the new writer and replaces the pool.
 */
export function createWriterSource({
  hosts,
  createPool,
  max,
  withinMs,
  waits,
}: WriterSourceOptions): ClientSource {
  let writer: Writer | null = null;
  let finding: Promise<Writer> | null = null;
  let isClosed = false;
  const ending = new Set<Promise<void>>();

  function retire({ pool }: Writer): void {
    const ended = pool.end().finally(() => ending.delete(ended));
    ending.add(ended);
  }

  /** Shares one search for the writer among all callers. For 100 ms, also shares a failed search. */
  function find(): Promise<Writer> {
    if (finding !== null) return finding;
    const search = findWriter(hosts, withinMs, waits).then(moveTo);
    finding = search;
    const forget = () => {
      if (finding === search) finding = null;
    };
    search.then(forget, () => setTimeout(forget, ASK_AGAIN_AFTER_MS).unref());
    return search;
  }

  function moveTo(address: string): Writer {
    if (writer?.address === address) return writer;
    if (writer !== null) retire(writer);
    const pool = createPool(address);
    attend(pool);
    writer = { address, pool, asked: new WeakSet() };
    return writer;
  }

  async function connectTo({ pool, asked }: Writer): Promise<PoolClient> {
    const client = await pool.connect();
    if (asked.has(client)) return client;
    client.on('error', ignore);
    try {
      await assertRole(client, hosts.role, withinMs);
      asked.add(client);
      return client;
    } catch (error) {
      client.release(true);
      throw error;
    } finally {
      client.removeListener('error', ignore);
    }
  }

  return {
    connect: async () => {
      const known = writer ?? (await find());
      try {
        return await connectTo(known);
      } catch (error) {
        if (isClosed || (known === writer && isBusy(error))) throw error;
        return connectTo(known === writer || writer === null ? await find() : writer);
      }
    },
    suspect: () => {
      if (writer !== null) writer.asked = new WeakSet();
    },
    close: async () => {
      isClosed = true;
      if (writer !== null) retire(writer);
      await Promise.all(ending);
    },
    max,
    hasSeveralServers: hosts.addresses.length > 1 && hosts.role !== 'any',
  };
}

/**
 * Returns whether the error means that all connections are in use. It compares the message, because `pg`
 * gives its own errors no code.
 */
function isBusy(error: unknown): boolean {
  return isAnyError(error) && error.message === 'timeout exceeded when trying to connect';
}

const ignore = () => {};

/** Ignores errors of idle connections, which would end the process. The pool replaces these connections. */
function attend(pool: Pool): () => void {
  pool.on('error', ignore);
  // A new connection may break before the promise of `connect` resolves.
  const attendNew = (client: PoolClient) => {
    client.on('error', ignore);
    setImmediate(() => client.removeListener('error', ignore));
  };
  pool.on('connect', attendNew);
  return () => {
    pool.removeListener('error', ignore);
    pool.removeListener('connect', attendNew);
  };
}
