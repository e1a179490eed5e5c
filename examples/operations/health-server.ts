import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The health endpoints of a process. */
export interface HealthServer {
  readonly port: number;
  /** Makes `/readyz` fail from now on, because the process is about to stop. */
  drain(): void;
  close(): Promise<void>;
}

/** The options of {@link serveHealth}. */
export interface HealthOptions {
  readonly host: string;
  /** 0 for a free port. */
  readonly port: number;
  /** Rejects with the reason if the process cannot do its work now. */
  check(): Promise<void>;
  /** How long a check may take, in milliseconds. Default: 3,000. Probes must wait longer. */
  readonly checkMs?: number;
}

/**
 * Serves `/livez`, which succeeds as long as the process answers, and `/readyz`, which also runs the check. A probe that
 * restarts the process must ask `/livez`: a restart does not bring a database back.
 */
export async function serveHealth({
  host,
  port,
  check,
  checkMs = 3_000,
}: HealthOptions): Promise<HealthServer> {
  let isDraining = false;
  let underWay: Promise<string | null> | null = null;

  /** Returns why the process is not ready, or null. Probes that come at the same time share one check. */
  async function findProblem(): Promise<string | null> {
    if (isDraining) return 'The process is stopping.';
    underWay ??= check()
      .then(() => null, describeFailure)
      .finally(() => {
        underWay = null;
      });
    return Promise.race([underWay, afterTime(checkMs)]);
  }

  const server = createServer(async ({ url }, reply) => {
    if (url !== '/livez' && url !== '/readyz') return void reply.writeHead(404).end('Not found.\n');
    const problem = url === '/livez' ? null : await findProblem();
    reply.writeHead(problem === null ? 200 : 503, {
      'content-type': 'text/plain',
      'cache-control': 'no-store',
    });
    reply.end(`${problem ?? 'ok'}\n`);
  });
  server.listen(port, host);
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    drain: () => {
      isDraining = true;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function describeFailure(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function afterTime(ms: number): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(`The check took more than ${ms} ms.`), ms).unref();
  });
}
