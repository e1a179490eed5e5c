import { startTextServer, type TextServer } from './text-server.js';

interface Received {
  readonly eventId: string;
  /** The first arrival, on the clock of `performance`. */
  readonly firstAt: number;
  times: number;
}

/** A recording partner endpoint. */
export interface Receiver extends TextServer {
  /** Status changes by application. */
  readonly changes: ReadonlyMap<string, Received>;
  /** Applications with several event ids for one change. */
  readonly ambiguous: readonly string[];
}

/** Long enough for a kill before the answer. */
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
