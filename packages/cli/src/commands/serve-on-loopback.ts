import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isError } from '@partner-hiring/core/contract';
import { ConnectionError } from '../connection/connection-error.js';

/**
 * Serves requests of this machine until the process gets SIGINT or SIGTERM.
 * @param ready - gets the origin of the server.
 * @throws ConnectionError if the port is taken or not allowed.
 */
export async function serveOnLoopback(
  listener: RequestListener,
  port: number,
  ready: (origin: string) => void,
): Promise<void> {
  const server = createServer(listener);
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = isError(error) && 'code' in error ? String(error.code) : '';
    const reason = code === 'EADDRINUSE' ? 'another program uses it' : code;
    throw new ConnectionError(`Port ${port} cannot be used: ${reason}. Pass another --port.`, {
      cause: error,
    });
  }
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  ready(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await stopped;
  const closed = once(server, 'close');
  server.close();
  // Open pages keep their connections.
  server.closeAllConnections();
  await closed;
}
