import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';

/** A server of `node:http`, which Express's `app.listen()` returns, or an application of Fastify or Nest. */
export interface StoppableServer {
  /** Stops taking connections, as `close` of Node's server does. */
  close(): unknown;
}

/** A server that can end its connections without breaking a request. */
export interface ClosingServer {
  /** Asks clients to open new connections, which a load balancer sends to other servers. Still answers requests. */
  sendAway(): void;
  /**
   * Accepts no more connections, closes idle ones, and resolves when the requests under way have ended. After
   * `requestsMs`, it cuts off those that are left and calls `onCut`.
   */
  close(requestsMs: number, onCut: () => void): Promise<void>;
}

/** How often a closing server looks for connections that have become idle, in milliseconds. */
const IDLE_CHECK_MS = 50;

export function createClosingServer(server: StoppableServer): ClosingServer {
  const node = nodeServerOf(server);
  const sockets = new Set<{ destroy(): unknown }>();
  // Includes the connections of WebSockets, which Node's own methods do not close.
  node?.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  function closeIdle(): void {
    if (isHttp(node)) node.closeIdleConnections();
  }

  function cut(): void {
    if (isHttp(node)) node.closeAllConnections();
    for (const socket of sockets) socket.destroy();
  }

  return {
    sendAway() {
      if (!isHttp(node)) return;
      node.prependListener('request', ({ httpVersionMajor }, response) => {
        if (httpVersionMajor === 1) response.setHeader('Connection', 'close');
      });
    },
    async close(requestsMs, onCut) {
      const limit = setTimeout(() => {
        if (sockets.size > 0) onCut();
        cut();
      }, requestsMs);
      const idle = setInterval(closeIdle, IDLE_CHECK_MS);
      try {
        await (server instanceof Server ? closeNode(server) : server.close());
      } finally {
        clearTimeout(limit);
        clearInterval(idle);
      }
    },
  };
}

/** Checks the method, not the class: HTTP/2 servers lack it, and `node:https` servers are no `HttpServer`. */
function isHttp(server: Server | null): server is HttpServer {
  return server !== null && 'closeIdleConnections' in server;
}

/** Also resolves if the server does not listen. */
function closeNode(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** Returns the server below an application of Fastify or Nest. Null if there is none. */
function nodeServerOf(server: StoppableServer): Server | null {
  const candidates = [
    server,
    'server' in server ? server.server : null,
    'getHttpServer' in server && typeof server.getHttpServer === 'function' ? server.getHttpServer() : null,
  ];
  return candidates.find((each): each is Server => each instanceof Server) ?? null;
}
