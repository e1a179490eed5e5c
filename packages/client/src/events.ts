import type { CallOptions } from './call-options.js';
import { isInvalidCursor } from './errors.js';
import type { Execute } from './execute.js';
import { createKeyedQueue } from './keyed-queue.js';
import { createListing, type Listing, type ListOptions } from './listing.js';
import type { SyncStore } from './sync-store.js';
import type { FetchedEvent, KnownEventType, Open } from './wire.js';
import { eventShape } from './wire-shapes.js';

/** Filters and paging of the event log. */
export interface EventListOptions extends Omit<ListOptions, 'companyId'> {
  /** Only events of this type. Omit it to miss none. */
  readonly type?: Open<KnownEventType> | undefined;
}

/** Options of `events.sync`. */
export interface EventSyncOptions extends CallOptions {
  readonly store: SyncStore<FetchedEvent>;
  /**
   * Called if events after your position may be missing, because the service keeps them only for a time. Read both lists
   * in full. If it throws, the next call of `sync` calls it again. Otherwise, the log is read again from its start.
   */
  readonly onMissing: () => Promise<unknown>;
}

/** Options of `events.each`. */
export interface EventEachOptions extends Omit<EventSyncOptions, 'store'> {
  /** Keeps your position. Its `apply` gets no rows. */
  readonly store: Pick<SyncStore<FetchedEvent>, 'readState' | 'apply'>;
}

/** The result of `events.sync` and `events.each`. */
export interface EventSyncReport {
  /** The number of events read. */
  readonly events: number;
  /** Whether `onMissing` was called. */
  readonly mayHaveMissed: boolean;
  /** The instant up to which you have every event; null if unknown. */
  readonly updatedThrough: string | null;
}

/** The event log of your key, if the platform serves it. Otherwise, each call fails with `NOT_FOUND`. */
export interface EventsClient {
  /**
   * Lists events, oldest first, each as a webhook sends it.
   * @example
   * for await (const { type, data } of client.events.list()) console.log(type, data);
   */
  list(options?: EventListOptions): Listing<FetchedEvent>;
  /**
   * Reads the events since the last call. The store gets each page with the position after it, and may get an event
   * twice: process each `id` once.
   * @throws PartnerApiError, PartnerConnectionError, the store's error, or that of `onMissing`.
   * @example
   * const store = createMemorySyncStore<FetchedEvent>();
   * const jobs = createMemorySyncStore<Job>();
   * const onMissing = () => client.jobs.sync({ store: jobs, compareEveryMs: 0 });
   * const { events } = await client.events.sync({ store, onMissing });
   */
  sync(options: EventSyncOptions): Promise<EventSyncReport>;
  /**
   * Handles the events since the last call, one after the other, oldest first. The position is stored after the events
   * before it were handled. So an event comes at least once, and may come again: process each `id` once.
   * @throws PartnerApiError, PartnerConnectionError, the store's error, that of `onMissing`, or that of `handle`. The next
   *   call then begins with this event or an earlier one.
   * @example
   * const store = createMemorySyncStore<FetchedEvent>();
   * const jobs = createMemorySyncStore<Job>();
   * const onMissing = () => client.jobs.sync({ store: jobs, compareEveryMs: 0 });
   * await client.events.each({ store, onMissing }, async ({ type, data }) => console.log(type, data));
   */
  each(options: EventEachOptions, handle: (event: FetchedEvent) => unknown): Promise<EventSyncReport>;
}

export function createEventsClient(execute: Execute): EventsClient {
  const queued = createKeyedQueue();
  const list: EventsClient['list'] = ({ type, ...options } = {}) =>
    createListing<FetchedEvent>(
      execute,
      { path: '/events', route: { kind: 'list_events' }, shape: eventShape, filters: { type } },
      options,
    );

  /** Each page advances the state, so an interrupted call continues from there. */
  async function readOn(
    { store, onMissing: _, ...call }: EventEachOptions,
    take: TakePage,
    updatedSince: string | null,
  ): Promise<EventSyncReport> {
    let updatedThrough = updatedSince;
    let events = 0;
    const pages = list({ ...call, updatedSince: updatedSince ?? undefined }).pages();
    for await (const page of pages) {
      updatedThrough = page.updatedThrough ?? updatedThrough;
      const upserts = await take(page.rows, call.signal);
      await store.apply({ upserts, disappeared: [], state: { updatedThrough, comparedAt: null } });
      events += page.rows.length;
    }
    return { events, mayHaveMissed: false, updatedThrough };
  }

  async function follow(options: EventEachOptions, take: TakePage): Promise<EventSyncReport> {
    options.signal?.throwIfAborted();
    const state = await options.store.readState();
    try {
      return await readOn(options, take, state?.updatedThrough ?? null);
    } catch (error) {
      if (!isInvalidCursor(error)) throw error;
      await options.onMissing();
      return { ...(await readOn(options, take, null)), mayHaveMissed: true };
    }
  }

  /** Calls for the same store run in order. */
  function inOrder(options: EventEachOptions, take: TakePage): Promise<EventSyncReport> {
    const asked = { ...options };
    return queued(asked.store, () => follow(asked, take));
  }

  return {
    list,
    sync: (options) => inOrder(options, async (events) => events),
    each: (options, handle) =>
      inOrder(options, async (events, signal) => {
        for (const event of events) {
          signal?.throwIfAborted();
          await handle(event);
        }
        return [];
      }),
  };
}

/** Takes the events of a page. Returns those that the store keeps. */
type TakePage = (
  events: readonly FetchedEvent[],
  signal: AbortSignal | undefined,
) => Promise<readonly FetchedEvent[]>;
