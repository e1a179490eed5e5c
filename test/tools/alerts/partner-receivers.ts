import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts the receivers on a free port. */
export async function startPartnerReceivers() {
  const statuses = new Map<string, number>();
  const server = createServer((request, reply) => {
    request.resume().once('end', () => reply.writeHead(statuses.get(request.url ?? '') ?? 204).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Sets the status of all later replies to a path. It is 204 before. */
    answer: (path: string, status: number) => void statuses.set(path, status),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
