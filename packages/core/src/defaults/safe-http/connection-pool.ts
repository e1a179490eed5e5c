import { type Connection, createConnection } from './connection.js';
import type { PinnedConnect } from './pinned-connect.js';

/** Keeps idle connections for reuse. It does not limit the number of connections in use. */
export interface ConnectionPool {
  take(origin: string): Connection;
  open(origin: string): Connection;
  release(connection: Connection): void;
  /** Closes idle connections immediately. Closes each connection in use when it is released. */
  close(): void;
  destroy(): void;
}

/** As many as the worker's default concurrency. Opening a connection costs ten times as much as sending a request. */
const MAX_IDLE_PER_ORIGIN = 64;
const MAX_IDLE = 256;

export function createConnectionPool(connect: PinnedConnect): ConnectionPool {
  const all = new Set<Connection>();
  /** The longest idle connection comes first. */
  const idle = new Set<Connection>();
  /** The most recently used connection comes last. */
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
