import { once } from 'node:events';
import { createServer } from 'node:http';
import { createHealth, type HealthReport, type PartnerHiring } from '@partner-hiring/core';
import { printError } from '../server/console-output.js';

/** Where a server listens. */
export interface HealthAddress {
  readonly host: string;
  readonly port: number;
}

/** Serves `/livez` and `/readyz` on a port of their own. Returns a function that closes the server. */
export async function serveHealth(
  partnerHiring: PartnerHiring<never>,
  { host, port }: HealthAddress,
): Promise<() => Promise<void>> {
  const health = createHealth(partnerHiring);
  const checks = new Map<string, () => HealthReport | Promise<HealthReport>>([
    ['/livez', health.live],
    ['/readyz', health.ready],
  ]);

  const server = createServer(async ({ url = '' }, reply) => {
    const check = checks.get(url);
    if (check === undefined) return void reply.writeHead(404).end();
    try {
      const report = await check();
      const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
      reply.writeHead(report.status, headers).end(JSON.stringify(report));
    } catch (error) {
      printError(error);
      reply.writeHead(500).end();
    }
  });
  server.listen(port, host);
  await once(server, 'listening');

  return async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
}
