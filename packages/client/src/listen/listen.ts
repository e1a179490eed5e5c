import type { ClientClock } from '../clock.js';
import { PartnerApiError, PartnerConnectionError } from '../errors.js';
import type { EventsClient } from '../events.js';
import { stableJson } from '../json.js';
import type { SyncStore } from '../sync-store.js';
import type { FetchedEvent } from '../wire.js';
import type { CursorFile } from './cursor-file.js';
import { ListenError } from './listen-error.js';
import { isAccepted, type PostEnd, type PostWebhook } from './post-webhook.js';

/** Which events are forwarded. */
export interface ListenChoices {
  /** Whether a start without a position passes over the events before it. */
  readonly isFromNow: boolean;
  /** Only events of these types. Empty for all. */
  readonly types: readonly string[];
  /** After how many refusals an event is skipped. Null for never. */
  readonly skipAfter: number | null;
}

export interface ListenPorts {
  readonly events: Pick<EventsClient, 'list' | 'sync'>;
  readonly cursor: CursorFile;
  readonly post: PostWebhook;
  readonly choices: ListenChoices;
  readonly clock: ClientClock;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Half of the limit of 60 requests a minute, so that other programs with the key can read too. */
const POLL_MS = 2_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * Forwards each event at least once, in order, until the signal aborts. Repeats an event until the receiver accepts it,
 * or until it is skipped.
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
  const { cursor, choices, print } = ports;
  let position = await cursor.read();
  if (choices.isFromNow && (position.updatedThrough ?? position.forwarded) !== null) {
    throw new ListenError(
      `${cursor.path} has a position, so --from-now would pass over the events after it. Remove --from-now to forward ` +
        'them, or delete the file to start at now.',
    );
  }
  const move = async (next: typeof position) => {
    await cursor.write(next);
    position = next;
  };
  // Fails before the first event is forwarded if the file cannot be written.
  await move(position);
  return {
    readState: async () => {
      if (choices.isFromNow && position.updatedThrough === null) {
        await move({ updatedThrough: await readEnd(ports), forwarded: null });
        print(`Events through ${position.updatedThrough} are not forwarded.`);
      }
      return { updatedThrough: position.updatedThrough, comparedAt: null };
    },
    apply: async ({ upserts, state }) => {
      // A page that was interrupted comes again from its start.
      const done = upserts.findIndex(({ id }) => id === position.forwarded);
      for (const event of upserts.slice(done + 1)) {
        if (choices.types.length > 0 && !choices.types.includes(event.type)) continue;
        await forward(ports, event);
        await move({ ...position, forwarded: event.id });
      }
      await move({ updatedThrough: state.updatedThrough, forwarded: null });
    },
    listIds: async () => [],
  };
}

/** A page after this instant is empty, and says where the log ends. */
const AFTER_ALL = '9999-12-31T23:59:59.999Z';

/** Reads the end of the log from the service, with one request: an event that occurs meanwhile comes after it. */
async function readEnd({ events, signal }: ListenPorts): Promise<string> {
  for await (const page of events.list({ updatedSince: AFTER_ALL, limit: 1, signal }).pages()) {
    if (page.updatedThrough !== null) return page.updatedThrough;
  }
  throw new ListenError('--from-now needs the header X-Updated-Through, which the service did not send.');
}

/** Resolves when the receiver has accepted the event, or when it is skipped. */
async function forward(ports: ListenPorts, event: FetchedEvent): Promise<void> {
  const { post, clock, print, signal, choices } = ports;
  // The service sends sorted keys without white space.
  const body = stableJson(event);
  let refusals = 0;
  for (let failures = 0; ; failures += 1) {
    signal.throwIfAborted();
    const startedAt = clock.now();
    const end = await post(body, signal);
    const line = attemptLine(event, end, clock.now() - startedAt);
    if (end.kind === 'answered' && isAccepted(end.status)) return print(line);
    if (end.kind === 'answered') refusals += 1;
    const { excerpt = '' } = end.kind === 'answered' ? end : {};
    const answer = excerpt === '' ? '' : ` Answer: ${excerpt}`;
    if (refusals === choices.skipAfter) {
      return print(
        `${line}. Skipped after ${refusals} refusals: it is not forwarded again, and the position moves on.${answer}`,
      );
    }
    const waitMs = backoffMs(failures);
    print(`${line}. Trying again in ${seconds(waitMs)}.${answer}`);
    await clock.sleep(waitMs, signal);
  }
}

/** Shows the time of the machine, because the process's clock stands still while the machine sleeps. */
function attemptLine({ id, type }: FetchedEvent, end: PostEnd, durationMs: number): string {
  const said = end.kind === 'answered' ? end.status : end.why;
  return `${new Date().toISOString()} ${id} ${type}: ${said} in ${Math.round(durationMs)} ms`;
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
