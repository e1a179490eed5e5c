import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What one event came to. */
interface Received {
  readonly eventId: string;
  /** When it came first, on the clock of `performance`. */
  readonly firstAt: number;
  times: number;
}

/** A partner's endpoint that notes what it is sent. */
export interface Receiver {
  readonly url: string;
  /** The status changes that came, by application. */
  readonly changes: ReadonlyMap<string, Received>;
  /** Applications whose one change came under several event ids. */
  readonly ambiguous: readonly string[];
  close(): Promise<void>;
}

/** What a receiver takes to answer: long enough that a kill comes in between. */
const ANSWER_AFTER_MS = 150;

export async function startReceiver(): Promise<Receiver> {
  const changes = new Map<string, Received>();
  const ambiguous: string[] = [];

  function note(body: string): void {
    const { id, type, data } = JSON.parse(body) as {
      readonly id: string;
      readonly type: string;
      readonly data: { readonly applicationId: string };
    };
    if (type !== 'application.status_changed') return;
    const known = changes.get(data.applicationId);
    if (known === undefined) {
      changes.set(data.applicationId, { eventId: id, firstAt: performance.now(), times: 1 });
    } else {
      known.times += 1;
      if (known.eventId !== id) ambiguous.push(data.applicationId);
    }
  }

  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      note(body);
      setTimeout(() => response.end(), ANSWER_AFTER_MS);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    changes,
    ambiguous,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
