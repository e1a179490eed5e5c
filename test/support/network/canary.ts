import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onRequests } from './raw-server.js';

/** Starts the canary on IPv4, and on IPv6 if available. It responds with a résumé. */
export async function startCanary() {
  let connections = 0;
  let invited = 0;
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    connections += 1;
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    onRequests(socket, () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\n%PDF-1.7'));
  });
  server.listen(0);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** The number of connections. */
    connections: () => connections,
    /** Allows `count` more connections. */
    invite: (count: number) => {
      invited += count;
    },
    invited: () => invited,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
