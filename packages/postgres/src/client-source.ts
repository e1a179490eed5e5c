import type { Pool, PoolClient } from 'pg';
import { assertRole, findWriter } from './find-writer.js';
import type { Hosts } from './hosts.js';

export interface ClientSource {
  connect(): Promise<PoolClient>;
  /** Checks the servers of all connections again: a broken one may mean a failover. */
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
    // Keep the listeners of our own pool: its last connections may break as they end.
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
}

interface Writer {
  readonly address: string;
  readonly pool: Pool;
  /** The connections checked since the last broken one. */
  asked: WeakSet<PoolClient>;
}

/** Shorter than a promotion. */
const ASK_AGAIN_AFTER_MS = 100;

/** Checks the server of each new connection. If the check fails, replaces the pool with the new writer's. */
export function createWriterSource({ hosts, createPool, max, withinMs }: WriterSourceOptions): ClientSource {
  let writer: Writer | null = null;
  let finding: Promise<Writer> | null = null;
  let isClosed = false;
  const ending = new Set<Promise<void>>();

  function retire({ pool }: Writer): void {
    const ended = pool.end().finally(() => ending.delete(ended));
    ending.add(ended);
  }

  /** Shares one search, and briefly its failure, among all callers. */
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

/** Whether all connections are lent. `pg` gives its own errors no code. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}

const ignore = () => {};

/** Ignores errors of idle connections, which would end the process. The pool replaces them. */
function attend(pool: Pool): () => void {
  pool.on('error', ignore);
  // A new connection may die before its promise resolves.
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
