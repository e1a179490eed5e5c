import type { Pool, PoolClient } from 'pg';
import { assertRole, findWriter } from './find-writer.js';
import type { Hosts } from './hosts.js';

/** Where the connections of one process come from. */
export interface ClientSource {
  connect(): Promise<PoolClient>;
  /** Called when a connection broke: others may lead to the same server, which may take no more writes. */
  suspect(): void;
  /** Ends what it opened. */
  close(): Promise<void>;
  /** How many there are at most. */
  readonly max: number;
  /** Whether there are several servers, one of which accepts writes at a time. */
  readonly hasSeveralServers: boolean;
}

/** Whose a pool is, and how large. */
interface PoolTraits {
  readonly isOurs: boolean;
  readonly max: number;
}

/** The same pool for as long as the storage is open. */
export function createPoolSource(pool: Pool, { isOurs, max }: PoolTraits): ClientSource {
  const leave = attend(pool);
  return {
    connect: () => pool.connect(),
    suspect: () => {},
    // Ours is still attended to: its last connections may break off as they end.
    close: async () => (isOurs ? pool.end() : leave()),
    max,
    hasSeveralServers: false,
  };
}

/** What a pool on the writer needs. */
interface WriterSourceOptions {
  readonly hosts: Hosts;
  readonly createPool: (address: string) => Pool;
  /** The connections of a pool at most. */
  readonly max: number;
  /** How long a server may take to answer. */
  readonly withinMs: number;
}

/** The pool of the server that accepts writes. */
interface Writer {
  readonly address: string;
  readonly pool: Pool;
  /** The connections whose server was asked since one of them broke. */
  asked: WeakSet<PoolClient>;
}

/** Under load, requests follow one another within milliseconds; a promotion takes longer. */
const ASK_AGAIN_AFTER_MS = 100;

/**
 * Creates a pool on whichever of several servers accepts writes. Each new connection asks its server once. If that cannot
 * be reached or takes no writes any more, all servers are asked, and a pool on the new writer replaces the old one.
 */
export function createWriterSource({ hosts, createPool, max, withinMs }: WriterSourceOptions): ClientSource {
  let writer: Writer | null = null;
  let finding: Promise<Writer> | null = null;
  let isClosed = false;
  const ending = new Set<Promise<void>>();

  function retire({ pool }: Writer): void {
    const ended = pool.end().finally(() => ending.delete(ended));
    ending.add(ended);
  }

  /** One search at a time. One that failed is not repeated at once, for each request that waits. */
  function find(): Promise<Writer> {
    if (finding !== null) return finding;
    const search = findWriter(hosts, withinMs).then(moveTo);
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

/** All connections of the pool are lent, which says nothing about the server. `pg` gives its own errors no code. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}

const ignore = () => {};

/**
 * A connection that dies while nobody uses it: the pool has already removed it, and opens another one when it is
 * needed. Without a listener the process would end.
 *
 * @returns what ends this.
 */
function attend(pool: Pool): () => void {
  pool.on('error', ignore);
  // A new one is nobody's until the promise of it has resolved, and may die before.
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
