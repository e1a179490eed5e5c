import { MINUTE_MS } from '../../domain/time.js';
import { createHttpConnection, type HttpConnection } from './connection.js';
import type { PinnedConnect } from './pinned-connect.js';

/** Keeps idle connections for reuse. It does not limit the number of connections in use. */
export interface ConnectionPool {
  take(origin: string): HttpConnection;
  open(origin: string): HttpConnection;
  release(connection: HttpConnection): void;
  /** Closes idle connections immediately. Closes each connection in use when it is released. */
  close(): void;
  destroy(): void;
}

/** As many as the worker's default concurrency. Opening a connection costs ten times as much as sending a request. */
const MAX_IDLE_PER_ORIGIN = 64;
const MAX_IDLE = 256;
/** No request begins on an older connection, so that a change of the name's address or of the certificate is seen. */
const MAX_AGE_MS = MINUTE_MS;

export function createConnectionPool(connect: PinnedConnect): ConnectionPool {
  const all = new Set<HttpConnection>();
  /** Idle connections. Of each origin, the most recently used one comes last. */
  const idle = new Map<string, HttpConnection[]>();
  let idleCount = 0;
  let released = 0;
  let isClosed = false;

  function open(origin: string): HttpConnection {
    const connection = createHttpConnection(origin, connect, () => {
      all.delete(connection);
      forget(connection);
    });
    all.add(connection);
    return connection;
  }

  function forget(connection: HttpConnection): void {
    const siblings = idle.get(connection.origin);
    const index = siblings?.indexOf(connection) ?? -1;
    if (index >= 0) {
      siblings?.splice(index, 1);
      idleCount -= 1;
    }
    if (siblings?.length === 0) idle.delete(connection.origin);
  }

  /** Leaves an empty list behind, because the connection probably comes back. */
  function take(origin: string): HttpConnection {
    const last = idle.get(origin)?.pop();
    if (last === undefined) return open(origin);
    idleCount -= 1;
    if (performance.now() - last.openedAt <= MAX_AGE_MS) return last;
    last.destroy();
    return take(origin);
  }

  function release(connection: HttpConnection): void {
    const siblings = idle.get(connection.origin) ?? [];
    if (isClosed || connection.isClosed() || siblings.length >= MAX_IDLE_PER_ORIGIN) {
      connection.destroy();
      return;
    }
    released += 1;
    connection.idleSince = released;
    siblings.push(connection);
    idle.set(connection.origin, siblings);
    idleCount += 1;
    if (idleCount > MAX_IDLE) longestIdle()?.destroy();
  }

  function longestIdle(): HttpConnection | undefined {
    let longest: HttpConnection | undefined;
    for (const [first] of idle.values()) {
      if (first !== undefined && first.idleSince < (longest?.idleSince ?? Infinity)) longest = first;
    }
    return longest;
  }

  return {
    take,
    open,
    release,
    close: () => {
      isClosed = true;
      for (const connection of [...idle.values()].flat()) connection.destroy();
    },
    destroy: () => {
      for (const connection of [...all]) connection.destroy();
    },
  };
}
