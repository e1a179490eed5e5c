import type { ClientClock } from '../clock.js';
import { PartnerApiError, PartnerConnectionError } from '../errors.js';
import type { EventsClient } from '../events.js';
import { stableJson } from '../json.js';
import type { SyncStore } from '../sync-store.js';
import type { FetchedEvent } from '../wire.js';
import type { CursorFile } from './cursor-file.js';
import { ListenError } from './listen-error.js';
import type { PostWebhook } from './post-webhook.js';

export interface ListenPorts {
  readonly events: Pick<EventsClient, 'sync'>;
  readonly cursor: CursorFile;
  readonly post: PostWebhook;
  readonly clock: Pick<ClientClock, 'sleep'>;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Half of the limit of 60 requests a minute, so that other programs with the key can read too. */
const POLL_MS = 2_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * Forwards each event at least once, in order, until the signal aborts. Repeats an event until the receiver accepts it.
 * @throws ListenError if the service or the cursor file needs a person.
 */
export async function listen(ports: ListenPorts): Promise<void> {
  const { events, cursor, clock, print, signal } = ports;
  const store = await openStore(ports);
  const onMissing = async () => {
    throw new ListenError(
      'Events after your position may be missing, because the service keeps them only for a time. Read GET /jobs and ' +
        `GET /applications in full. Then delete ${cursor.path} and start this command again: without the file, it ` +
        'starts without a cursor.',
    );
  };
  for (let failures = 0; !signal.aborted; ) {
    try {
      await events.sync({ store, onMissing, signal });
      failures = 0;
      await clock.sleep(POLL_MS, signal);
    } catch (error) {
      if (signal.aborted) return;
      const waitMs = Math.max(retryAfterMs(error), backoffMs(failures));
      failures += 1;
      print(`${messageOf(error)} Trying again in ${seconds(waitMs)}.`);
      await clock.sleep(waitMs, signal);
    }
  }
}

/** Returns a store that forwards what it gets, and keeps the position in the file. */
async function openStore(ports: ListenPorts): Promise<SyncStore<FetchedEvent>> {
  const { cursor } = ports;
  let position = await cursor.read();
  const move = async (next: typeof position) => {
    await cursor.write(next);
    position = next;
  };
  // Fails before the first event is forwarded if the file cannot be written.
  await move(position);
  return {
    readState: async () => ({ updatedThrough: position.updatedThrough, comparedAt: null }),
    apply: async ({ upserts, state }) => {
      // A page that was interrupted comes again from its start.
      const done = upserts.findIndex(({ id }) => id === position.forwarded);
      for (const event of upserts.slice(done + 1)) {
        await forward(ports, event);
        await move({ ...position, forwarded: event.id });
      }
      await move({ updatedThrough: state.updatedThrough, forwarded: null });
    },
    listIds: async () => [],
  };
}

async function forward({ post, clock, print, signal }: ListenPorts, event: FetchedEvent): Promise<void> {
  // The service sends sorted keys without white space.
  const body = stableJson(event);
  const name = `${event.id} ${event.type}`;
  for (let failures = 0; ; failures += 1) {
    signal.throwIfAborted();
    const end = await post(body, signal);
    const said = end.kind === 'answered' ? `${end.status}` : end.why;
    if (end.kind === 'answered' && end.status >= 200 && end.status < 300) return print(`${name}: ${said}`);
    const waitMs = backoffMs(failures);
    print(`${name}: ${said}. Trying again in ${seconds(waitMs)}.`);
    await clock.sleep(waitMs, signal);
  }
}

function backoffMs(failures: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
}

function seconds(ms: number): string {
  return `${Math.ceil(ms / 1_000)} s`;
}

/** The 4xx statuses after which a retry can succeed. */
const RETRYABLE = new Set([408, 425, 429]);

/** How to fix an error of the service that a retry does not fix. */
const FIXES: Readonly<Record<number, string>> = {
  401: 'The service does not accept the key. Correct PARTNER_API_KEY, or ask the platform for a new key.',
  404: 'The service does not offer GET /events. Ask the platform to turn it on (`selfService.events`), or correct PARTNER_API_URL.',
};

/** Returns what a temporary error says. @throws ListenError, or the error, if a retry cannot help. */
function messageOf(error: unknown): string {
  if (error instanceof PartnerConnectionError) return error.message;
  if (!(error instanceof PartnerApiError)) throw error;
  const { status, message } = error;
  if (status >= 500 || RETRYABLE.has(status)) return message;
  throw new ListenError(
    FIXES[status] === undefined ? message : `${FIXES[status]} The service said: ${message}`,
  );
}

function retryAfterMs(error: unknown): number {
  return error instanceof PartnerApiError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
}
