import { isInvalidCursor } from './errors.js';
import { createKeyedQueue, type KeyedQueue } from './keyed-queue.js';
import type { Listing, ListOptions, Page } from './listing.js';
import type { SyncState, SyncStore } from './sync-store.js';

/** Options of `sync`. */
export interface SyncOptions<Row> {
  readonly store: SyncStore<Row>;
  /** How often to read the whole list, in ms; default 24 hours. Only the whole list shows closed jobs. */
  readonly compareEveryMs?: number | undefined;
  readonly companyId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The result of `sync`. */
export interface SyncReport {
  /** `changes`: read the changed rows. `whole`: compared all rows with the copy. */
  readonly kind: 'changes' | 'whole';
  /** The number of rows read. A row that changes during the sync can count twice. */
  readonly rows: number;
  /** For `whole`, ids that left the list. */
  readonly disappeared: readonly string[];
  /** The instant up to which the copy is complete; null if unknown. */
  readonly updatedThrough: string | null;
}

export interface SyncSource<Row> {
  list(options: ListOptions): Listing<Row>;
  /** Returns the times at which a row may have changed. `sync` needs them if `X-Updated-Through` is missing. */
  instantsOf(row: Row): readonly string[];
  now(): number;
}

/** Calls for the same store run in order. */
export type Sync<Row> = (options: SyncOptions<Row>) => Promise<SyncReport>;

type Identified = { readonly id: string };

const DAY_MS = 24 * 60 * 60 * 1_000;
/**
 * How far back each sync reads again if `X-Updated-Through` is missing. This is longer than any transaction that
 * commits late, so no row is missed.
 */
const OVERLAP_MS = 5 * 60 * 1_000;

/** Contract: 5.10, 5.11, 10.1. */
export function createSync<Row extends Identified>(source: SyncSource<Row>): Sync<Row> {
  const queues = new WeakMap<SyncStore<Row>, KeyedQueue>();
  return (options) => {
    const queue = queues.get(options.store) ?? createKeyedQueue();
    queues.set(options.store, queue);
    const asked = { ...options };
    return queue('sync', () => syncFromTheStart(source, asked));
  };
}

/** Starts over once if the service rejects a cursor. Applied rows stay. */
async function syncFromTheStart<Row extends Identified>(
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

async function syncOnce<Row extends Identified>(
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

/** Returns whether a comparison is due. Also true if the last one lies far in the future, due to a wrong clock. */
function isCompareDue({ comparedAt }: SyncState, now: number, everyMs: number): boolean {
  return comparedAt === null || Math.abs(now - comparedAt) >= everyMs;
}

/** Compares all rows with the copy. Saves the new state only with the last page, when the missing rows are known. */
async function compareWhole<Row extends Identified>(
  source: SyncSource<Row>,
  options: SyncOptions<Row>,
  before: SyncState | null,
  now: number,
): Promise<SyncReport> {
  const { store } = options;
  const missing = new Set(await store.listIds());
  const state = before ?? { updatedThrough: null, comparedAt: null };
  const completeThrough = createWatermark(source);
  let updatedThrough = state.updatedThrough;
  let rows = 0;
  for await (const page of source.list(filterOf(options)).pages()) {
    for (const { id } of page.rows) missing.delete(id);
    updatedThrough = completeThrough(page) ?? updatedThrough;
    rows += page.rows.length;
    const isLast = page.nextCursor === null;
    await store.apply({
      upserts: latestRows(page.rows),
      disappeared: isLast ? [...missing] : [],
      state: isLast ? { updatedThrough, comparedAt: now } : state,
    });
  }
  return { kind: 'whole', rows, disappeared: [...missing], updatedThrough };
}

/** Each page advances the state, so an interrupted sync continues from there. */
async function readChanges<Row extends Identified>(
  source: SyncSource<Row>,
  options: SyncOptions<Row>,
  { comparedAt, updatedThrough: updatedSince }: SyncState,
): Promise<SyncReport> {
  const completeThrough = createWatermark(source);
  let updatedThrough = updatedSince;
  let rows = 0;
  const filter = { ...filterOf(options), ...(updatedSince === null ? {} : { updatedSince }) };
  for await (const page of source.list(filter).pages()) {
    updatedThrough = completeThrough(page) ?? updatedThrough;
    const state = { updatedThrough, comparedAt };
    await options.store.apply({ upserts: latestRows(page.rows), disappeared: [], state });
    rows += page.rows.length;
  }
  return { kind: 'changes', rows, disappeared: [], updatedThrough };
}

/**
 * Returns a function to call with each page. It returns the instant through which the pages so far are complete, or
 * null if unknown. The instant is the page's `X-Updated-Through`. If this header is missing, the instant is known
 * only after the last page: the latest time in any row minus an overlap.
 */
function createWatermark<Row>({ instantsOf }: SyncSource<Row>): (page: Page<Row>) => string | null {
  let latest = Number.NEGATIVE_INFINITY;
  return (page) => {
    for (const instant of page.rows.flatMap(instantsOf)) latest = Math.max(latest, Date.parse(instant));
    if (page.updatedThrough !== null) return page.updatedThrough;
    if (page.nextCursor !== null || !Number.isFinite(latest)) return null;
    return new Date(latest - OVERLAP_MS).toISOString();
  };
}

function latestRows<Row extends Identified>(rows: readonly Row[]): readonly Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

function filterOf<Row>({ companyId, signal }: SyncOptions<Row>): ListOptions {
  return { ...(companyId === undefined ? {} : { companyId }), ...(signal === undefined ? {} : { signal }) };
}
