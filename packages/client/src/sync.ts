import { PartnerApiError } from './errors.js';
import type { Listing, ListOptions, Page } from './listing.js';
import type { SyncState, SyncStore } from './sync-store.js';
import { createTurns, type Turns } from './turns.js';

/** What to bring up to date, and how. */
export interface SyncOptions<Row> {
  readonly store: SyncStore<Row>;
  /**
   * How old the last comparison may be before the whole list is read again to see what has disappeared; 24
   * hours unless given, 0 always. Jobs that close leave the list without a trace.
   */
  readonly compareEveryMs?: number;
  /** Only of this company. */
  readonly companyId?: string;
  readonly signal?: AbortSignal;
}

/** What a sync did. */
export interface SyncReport {
  /** `changes`: what had changed was read. `whole`: everything was, and compared with the copy. */
  readonly kind: 'changes' | 'whole';
  /** Rows that came; one that changed meanwhile may have come twice. */
  readonly rows: number;
  /** Of `whole`, what the copy had and the list no longer has: closed, revoked, or internal only. */
  readonly disappeared: readonly string[];
  /** How far the copy is now; null if the list was empty and the service does not say. */
  readonly updatedThrough: string | null;
}

/** What syncing needs of a list. */
export interface SyncSource<Row> {
  list(options: ListOptions): Listing<Row>;
  /** The instants in a row at which it may have changed, for a service that does not say how far a page is. */
  instantsOf(row: Row): readonly string[];
  now(): number;
}

/** Brings a copy up to date. Calls for one store take turns. */
export type Sync<Row> = (options: SyncOptions<Row>) => Promise<SyncReport>;

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Longer than any transaction that commits late, where only the rows' own instants are known. */
const OVERLAP_MS = 5 * 60 * 1_000;

/** Syncs one list. Spec: Events (the list endpoints are the source of truth); decisions 17 to 19 and 80. */
export function createSync<Row extends { readonly id: string }>(source: SyncSource<Row>): Sync<Row> {
  const turns = new WeakMap<SyncStore<Row>, Turns>();
  return (options) => {
    const inTurn = turns.get(options.store) ?? createTurns();
    turns.set(options.store, inTurn);
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
  const comparedAt = state?.comparedAt ?? null;
  // What was compared far in the future was so by a wrong clock: nothing would be compared until then.
  const isDue = comparedAt === null || Math.abs(now - comparedAt) >= (options.compareEveryMs ?? DAY_MS);
  return isDue ? compareWhole(source, options, state, now) : readChanges(source, options, state);
}

/** Each page moves the state on, so that whatever ends this early is gone on with from there. */
async function readChanges<Row extends { readonly id: string }>(
  source: SyncSource<Row>,
  { store, companyId, signal }: SyncOptions<Row>,
  before: SyncState | null,
): Promise<SyncReport> {
  const comparedAt = before?.comparedAt ?? null;
  let updatedThrough = before?.updatedThrough ?? null;
  const seen = createHorizon(source);
  let rows = 0;
  const filter = {
    ...given(companyId, signal),
    ...(updatedThrough === null ? {} : { updatedSince: updatedThrough }),
  };
  for await (const page of source.list(filter).pages()) {
    updatedThrough = seen.through(page) ?? updatedThrough;
    await store.apply({ upserts: latest(page.rows), disappeared: [], state: { updatedThrough, comparedAt } });
    rows += page.rows.length;
  }
  return { kind: 'changes', rows, disappeared: [], updatedThrough };
}

/**
 * Reads everything. What the copy had before the first page and no page has shown is gone. The state moves only
 * at the end: until then nothing is known to have disappeared, and the next one begins again.
 */
async function compareWhole<Row extends { readonly id: string }>(
  source: SyncSource<Row>,
  { store, companyId, signal }: SyncOptions<Row>,
  before: SyncState | null,
  now: number,
): Promise<SyncReport> {
  const missing = new Set(await store.listIds());
  const state = before ?? { updatedThrough: null, comparedAt: null };
  const seen = createHorizon(source);
  let updatedThrough = state.updatedThrough;
  let rows = 0;
  for await (const page of source.list(given(companyId, signal)).pages()) {
    for (const { id } of page.rows) missing.delete(id);
    updatedThrough = seen.through(page) ?? updatedThrough;
    rows += page.rows.length;
    const isLast = page.nextCursor === null;
    await store.apply({
      upserts: latest(page.rows),
      disappeared: isLast ? [...missing] : [],
      state: isLast ? { updatedThrough, comparedAt: now } : state,
    });
  }
  return { kind: 'whole', rows, disappeared: [...missing], updatedThrough };
}

/**
 * How far the pages read so far are complete: what the service says, or, once the last page is here, the
 * largest instant seen, less a safe distance. Null while it is not known.
 */
function createHorizon<Row>({ instantsOf }: SyncSource<Row>) {
  let largest = Number.NEGATIVE_INFINITY;
  return {
    through: (page: Page<Row>): string | null => {
      for (const instant of page.rows.flatMap(instantsOf)) largest = Math.max(largest, Date.parse(instant));
      if (page.updatedThrough !== null) return page.updatedThrough;
      if (page.nextCursor !== null || !Number.isFinite(largest)) return null;
      return new Date(largest - OVERLAP_MS).toISOString();
    },
  };
}

/** The last version of each row of a page. */
function latest<Row extends { readonly id: string }>(rows: readonly Row[]): readonly Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

function given(companyId: string | undefined, signal: AbortSignal | undefined): ListOptions {
  return { ...(companyId === undefined ? {} : { companyId }), ...(signal === undefined ? {} : { signal }) };
}

function isInvalidCursor(error: unknown): boolean {
  return error instanceof PartnerApiError && error.fieldErrors.some(({ code }) => code === 'invalid_cursor');
}
