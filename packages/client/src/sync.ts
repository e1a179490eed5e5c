import type { CallOptions } from './call-options.js';
import { isInvalidCursor } from './errors.js';
import { refuse } from './json.js';
import { createKeyedQueue } from './keyed-queue.js';
import type { Listing, ListOptions } from './listing.js';
import type { SyncState, SyncStore, UnfinishedComparison } from './sync-store.js';

/** Options of `sync`. */
export interface SyncOptions<Row> extends CallOptions {
  readonly store: SyncStore<Row>;
  /** How often to read the whole list, in ms; default 24 hours. Only the whole list shows closed jobs. */
  readonly compareEveryMs?: number | undefined;
  readonly companyId?: string | undefined;
}

/** The result of `sync`. */
export interface SyncReport {
  /** `changes`: read the changed rows. `whole`: compared all rows with the copy. */
  readonly kind: 'changes' | 'whole';
  /** The number of rows read. A row that changes during the sync can count twice. */
  readonly rows: number;
  /** For `whole`, ids that left the list. After an interruption, not those that left since: the next comparison has them. */
  readonly disappeared: readonly string[];
  /** The instant up to which the copy is complete; null if unknown. */
  readonly updatedThrough: string | null;
}

export interface SyncSource<Row> {
  list(options: ListOptions): Listing<Row>;
  now(): number;
}

/** Calls for the same store run in order. */
export type Sync<Row> = (options: SyncOptions<Row>) => Promise<SyncReport>;

type Identified = { readonly id: string };

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Contract: 5.10, 5.11, 10.1. */
export function createSync<Row extends Identified>(source: SyncSource<Row>): Sync<Row> {
  const inOrder = createKeyedQueue();
  return async (options) => {
    const asked = { ...options };
    const { compareEveryMs = DAY_MS } = asked;
    if (!(compareEveryMs >= 0)) refuse('compareEveryMs must be at least 0.');
    return inOrder(asked.store, () => syncFromTheStart(source, asked));
  };
}

/** Starts over once if the service rejects a cursor. Applied rows stay. */
async function syncFromTheStart<Row extends Identified>(
  source: SyncSource<Row>,
  options: SyncOptions<Row>,
): Promise<SyncReport> {
  try {
    return await syncOnce(source, options, true);
  } catch (error) {
    if (!isInvalidCursor(error)) throw error;
    return syncOnce(source, options, false);
  }
}

async function syncOnce<Row extends Identified>(
  source: SyncSource<Row>,
  options: SyncOptions<Row>,
  goesOn: boolean,
): Promise<SyncReport> {
  const { signal, store, compareEveryMs = DAY_MS } = options;
  signal?.throwIfAborted();
  const state = (await store.readState()) ?? { updatedThrough: null, comparedAt: null };
  const now = source.now();
  const { comparing = null } = state;
  if (comparing === null && !isDue(state.comparedAt, now, compareEveryMs)) {
    return readChanges(source, options, state);
  }
  const canGoOn = comparing !== null && (comparing.isFirst || store.listUnseen !== undefined);
  const isFresh = canGoOn && goesOn && !isDue(comparing.startedAt, now, DAY_MS);
  return compareWhole(source, options, state, isFresh ? comparing : null);
}

/** A whole number that no comparison before has, because a store may keep it with each row. */
function freshInstant(now: number, { comparedAt }: SyncState): number {
  const instant = Math.floor(now);
  return instant === comparedAt ? instant + 1 : instant;
}

/** Also true if the last time lies far in the future, due to a wrong clock. */
function isDue(last: number | null, now: number, everyMs: number): boolean {
  return last === null || Math.abs(now - last) >= everyMs;
}

/**
 * Compares all rows with the copy, or goes on with an unfinished comparison. Only with the last page are the missing rows
 * known.
 */
async function compareWhole<Row extends Identified>(
  source: SyncSource<Row>,
  options: SyncOptions<Row>,
  before: SyncState,
  unfinished: UnfinishedComparison | null,
): Promise<SyncReport> {
  const { store, compareEveryMs: _, ...filter } = options;
  const missing = new Set(unfinished === null ? await store.listIds() : []);
  const { startedAt, isFirst, cursor } = unfinished ?? {
    startedAt: freshInstant(source.now(), before),
    isFirst: missing.size === 0,
    cursor: undefined,
  };
  let { updatedThrough } = before;
  let rows = 0;
  for await (const page of source.list({ ...filter, cursor }).pages()) {
    const { nextCursor } = page;
    const isLast = nextCursor === null;
    updatedThrough = page.updatedThrough ?? updatedThrough;
    if (isLast && unfinished !== null && !isFirst) {
      for (const id of (await store.listUnseen?.(startedAt)) ?? []) missing.add(id);
    }
    for (const { id } of page.rows) missing.delete(id);
    const goesOn = isFirst || store.listUnseen !== undefined;
    await store.apply({
      upserts: latestRows(page.rows),
      disappeared: isLast ? [...missing] : [],
      state: isLast
        ? { updatedThrough, comparedAt: startedAt }
        : { ...before, comparing: goesOn ? { startedAt, isFirst, cursor: nextCursor } : undefined },
      comparison: startedAt,
    });
    rows += page.rows.length;
  }
  return { kind: 'whole', rows, disappeared: [...missing], updatedThrough };
}

/** Each page advances the state, so an interrupted sync continues from there. */
async function readChanges<Row extends Identified>(
  source: SyncSource<Row>,
  options: SyncOptions<Row>,
  { comparedAt, updatedThrough: updatedSince }: SyncState,
): Promise<SyncReport> {
  const { store, compareEveryMs: _, ...filter } = options;
  let updatedThrough = updatedSince;
  let rows = 0;
  for await (const page of source.list({ ...filter, updatedSince: updatedSince ?? undefined }).pages()) {
    updatedThrough = page.updatedThrough ?? updatedThrough;
    const state = { updatedThrough, comparedAt };
    await store.apply({ upserts: latestRows(page.rows), disappeared: [], state });
    rows += page.rows.length;
  }
  return { kind: 'changes', rows, disappeared: [], updatedThrough };
}

function latestRows<Row extends Identified>(rows: readonly Row[]): readonly Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
