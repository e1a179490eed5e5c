import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A partner's server, by the path: `/ok` answers, `/flaky` fails at random, `/gone` says 410, `/cv` is a résumé. */
export interface FickleReceiver {
  readonly url: string;
  /** How often each event came. */
  readonly received: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Of 100 deliveries to `/flaky`. */
const FAILURES = 40;

export async function startFickleReceiver(): Promise<FickleReceiver> {
  const received = new Map<string, number>();

  function answer(path: string): number {
    if (path.startsWith('/gone')) return 410;
    return path.startsWith('/flaky') && Math.random() * 100 < FAILURES ? 500 : 200;
  }

  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      if (request.method === 'GET') {
        response.setHeader('content-type', 'application/pdf');
        response.end('%PDF-1.7 Ada');
        return;
      }
      const { id } = JSON.parse(body) as { readonly id: string };
      received.set(id, (received.get(id) ?? 0) + 1);
      response.statusCode = answer(request.url ?? '');
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
