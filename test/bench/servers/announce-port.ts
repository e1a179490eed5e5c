import type { Server } from 'node:http';

/** Tells the parent process where the server listens. */
export function announcePort(server: Server, more: Readonly<Record<string, unknown>> = {}): void {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
  process.send?.({ port: address.port, ...more });
}
