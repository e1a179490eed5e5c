import { PartnerApiError } from './errors.js';
import { createKeyedQueue, type KeyedQueue } from './keyed-queue.js';
import { compareWhole } from './sync/compare-whole.js';
import { readChanges } from './sync/read-changes.js';
import type { SyncOptions, SyncReport } from './sync/sync-options.js';
import type { SyncSource } from './sync/sync-source.js';
import type { SyncState, SyncStore } from './sync-store.js';

/** Brings a copy up to date. Calls for one store take turns. */
export type Sync<Row> = (options: SyncOptions<Row>) => Promise<SyncReport>;

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Syncs one list. Spec: Events (the list endpoints are the source of truth); decisions 17 to 19. */
export function createSync<Row extends { readonly id: string }>(source: SyncSource<Row>): Sync<Row> {
  const keyedQueue = new WeakMap<SyncStore<Row>, KeyedQueue>();
  return (options) => {
    const inTurn = keyedQueue.get(options.store) ?? createKeyedQueue();
    keyedQueue.set(options.store, inTurn);
    return inTurn('sync', () => syncFromTheStart(source, options));
  };
}

/** A cursor that is no longer taken is nobody's fault: what was applied stays, and the rest is read anew. */
async function syncFromTheStart<Row extends { readonly id: string }>(
  source: SyncSource<Row>,
  options: SyncOptions<Row>,
): Promise<SyncReport> {
  try {
    return await syncOnce(source, options);
  } catch (error) {
    if (!isInvalidCursor(error)) throw error;
    return syncOnce(source, options);
  }
}

async function syncOnce<Row extends { readonly id: string }>(
  source: SyncSource<Row>,
  options: SyncOptions<Row>,
): Promise<SyncReport> {
  options.signal?.throwIfAborted();
  const state = await options.store.readState();
  const now = source.now();
  if (state === null || isCompareDue(state, now, options.compareEveryMs ?? DAY_MS)) {
    return compareWhole(source, options, state, now);
  }
  return readChanges(source, options, state);
}

/** What was compared far in the future was so by a wrong clock: nothing would be compared until then. */
function isCompareDue({ comparedAt }: SyncState, now: number, everyMs: number): boolean {
  return comparedAt === null || Math.abs(now - comparedAt) >= everyMs;
}

function isInvalidCursor(error: unknown): boolean {
  return error instanceof PartnerApiError && error.fieldErrors.some(({ code }) => code === 'invalid_cursor');
}
