import { isInvalidCursor } from './errors.js';
import type { Execute } from './execute.js';
import { createKeyedQueue, type KeyedQueue } from './keyed-queue.js';
import { createListing, type Listing, type ListOptions } from './listing.js';
import type { SyncStore } from './sync-store.js';
import type { FetchedEvent } from './wire.js';
import { EVENT_SHAPE } from './wire-shapes.js';

/** Filters and paging of the event log. */
export interface EventListOptions extends Omit<ListOptions, 'companyId'> {
  /** Only events of this type. Omit it to miss none. */
  readonly type?: FetchedEvent['type'] | undefined;
}

/** Options of `events.sync`. */
export interface EventSyncOptions {
  readonly store: SyncStore<FetchedEvent>;
  /**
   * Called if events after your position may be missing, because the service keeps them only for a time. Read both lists
   * in full. If it throws, the next call of `sync` calls it again. Otherwise, the log is read again from its start.
   */
  readonly onMissing: () => Promise<unknown>;
  readonly signal?: AbortSignal | undefined;
}

/** The result of `events.sync`. */
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
}

export function createEventsClient(execute: Execute): EventsClient {
  const queues = new WeakMap<SyncStore<FetchedEvent>, KeyedQueue>();
  const list: EventsClient['list'] = ({ type, ...options } = {}) =>
    createListing<FetchedEvent>(
      execute,
      { path: '/events', route: { kind: 'list_events' }, shape: EVENT_SHAPE, filters: { type } },
      options,
    );

  /** Each page advances the state, so an interrupted call continues from there. */
  async function readOn(
    { store, signal }: EventSyncOptions,
    updatedSince: string | null,
  ): Promise<EventSyncReport> {
    let updatedThrough = updatedSince;
    let events = 0;
    const pages = list({ updatedSince: updatedSince ?? undefined, signal }).pages();
    for await (const page of pages) {
      updatedThrough = page.updatedThrough ?? updatedThrough;
      const state = { updatedThrough, comparedAt: null };
      await store.apply({ upserts: page.rows, disappeared: [], state });
      events += page.rows.length;
    }
    return { events, mayHaveMissed: false, updatedThrough };
  }

  async function sync(options: EventSyncOptions): Promise<EventSyncReport> {
    options.signal?.throwIfAborted();
    const state = await options.store.readState();
    try {
      return await readOn(options, state?.updatedThrough ?? null);
    } catch (error) {
      if (!isInvalidCursor(error)) throw error;
      await options.onMissing();
      return { ...(await readOn(options, null)), mayHaveMissed: true };
    }
  }

  return {
    list,
    sync: (options) => {
      const queue = queues.get(options.store) ?? createKeyedQueue();
      queues.set(options.store, queue);
      const asked = { ...options };
      return queue('sync', () => sync(asked));
    },
  };
}
