import { type Connection, createConnection } from './connection.js';
import type { PinnedConnect } from './pinned-connect.js';

/** Connections that wait to be used again. How many are in use at once is the callers' to bound. */
export interface ConnectionPool {
  /** The connection to this origin that was used last, else a new one. */
  take(origin: string): Connection;
  /** A new connection to this origin. */
  open(origin: string): Connection;
  /** Gives back a connection whose exchange ended well. */
  release(connection: Connection): void;
  /** Closes those that wait, and from now on each that is given back. */
  close(): void;
  /** Closes those in use too. */
  destroy(): void;
}

/**
 * As many as a worker has under way at once by default: all its endpoints may be one partner's. With fewer, a
 * busy origin would be connected to again and again, at ten times the cost of sending.
 */
const MAX_IDLE_PER_ORIGIN = 64;
/** Keeps open files in bounds however many endpoints there are; beyond it the longest idle one is closed. */
const MAX_IDLE = 256;

/** A pool whose idle connections close by themselves soon. An origin without one leaves nothing behind. */
export function createConnectionPool(connect: PinnedConnect): ConnectionPool {
  const all = new Set<Connection>();
  /** All that are idle, the longest first. */
  const idle = new Set<Connection>();
  /** The same by origin, the last used last. */
  const byOrigin = new Map<string, Connection[]>();
  let isClosed = false;

  function open(origin: string): Connection {
    const connection = createConnection(origin, connect, () => {
      all.delete(connection);
      forget(connection);
    });
    all.add(connection);
    return connection;
  }

  function forget(connection: Connection): void {
    if (!idle.delete(connection)) return;
    const siblings = byOrigin.get(connection.origin);
    siblings?.splice(siblings.lastIndexOf(connection), 1);
    if (siblings?.length === 0) byOrigin.delete(connection.origin);
  }

  function take(origin: string): Connection {
    const last = byOrigin.get(origin)?.at(-1);
    if (last === undefined) return open(origin);
    forget(last);
    return last;
  }

  function release(connection: Connection): void {
    const siblings = byOrigin.get(connection.origin) ?? [];
    if (isClosed || connection.isClosed() || siblings.length >= MAX_IDLE_PER_ORIGIN) {
      connection.destroy();
      return;
    }
    siblings.push(connection);
    byOrigin.set(connection.origin, siblings);
    idle.add(connection);
    if (idle.size > MAX_IDLE) destroyLongest();
  }

  function destroyLongest(): void {
    const [longest] = idle;
    longest?.destroy();
  }

  return {
    take,
    open,
    release,
    close: () => {
      isClosed = true;
      for (const connection of [...idle]) connection.destroy();
    },
    destroy: () => {
      for (const connection of [...all]) connection.destroy();
    },
  };
}
