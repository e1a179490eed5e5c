import { startTextServer, type TextServer } from './text-server.js';

/** A partner's server, by the path: `/ok` answers, `/flaky` fails at random, `/gone` says 410, `/cv` is a résumé. */
export interface FickleReceiver extends TextServer {
  /** Deliveries per event. */
  readonly received: ReadonlyMap<string, number>;
}

/** Failures per 100 deliveries to `/flaky`. */
const FAILURES = 40;

export async function startFickleReceiver(): Promise<FickleReceiver> {
  const received = new Map<string, number>();

  function answer(path: string): number {
    if (path.startsWith('/gone')) return 410;
    return path.startsWith('/flaky') && Math.random() * 100 < FAILURES ? 500 : 200;
  }

  const server = await startTextServer((request, body, response) => {
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
  return { ...server, received };
}
