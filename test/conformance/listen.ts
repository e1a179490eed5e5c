import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Served } from '@partner-hiring/conformance';

/** Serves with Node's own server, which closes a connection after a second without requests. */
export async function listen(listener: RequestListener): Promise<Served> {
  const server: Server = createServer({ keepAliveTimeout: 1_000 }, listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
