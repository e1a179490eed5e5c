import { startTextServer, type TextServer } from './text-server.js';

/** What one event came to. */
interface Received {
  readonly eventId: string;
  /** When it came first, on the clock of `performance`. */
  readonly firstAt: number;
  times: number;
}

/** A partner's endpoint that notes what it is sent. */
export interface Receiver extends TextServer {
  /** The status changes that came, by application. */
  readonly changes: ReadonlyMap<string, Received>;
  /** Applications whose one change came under several event ids. */
  readonly ambiguous: readonly string[];
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

  const server = await startTextServer((_request, body, response) => {
    note(body);
    setTimeout(() => response.end(), ANSWER_AFTER_MS);
  });
  return { ...server, url: `${server.url}/webhooks`, changes, ambiguous };
}
