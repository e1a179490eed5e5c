import type { SyncState } from '../sync-store.js';
import { createHorizon } from './horizon.js';
import { latestRows } from './latest-rows.js';
import { listFilter } from './list-filter.js';
import type { SyncOptions, SyncReport } from './sync-options.js';
import type { SyncSource } from './sync-source.js';

/**
 * Reads everything. What the copy had before the first page and no page has shown is gone. The state moves only
 * at the end: until then nothing is known to have disappeared, and the next one begins again.
 */
export async function compareWhole<Row extends { readonly id: string }>(
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
  for await (const page of source.list(listFilter(companyId, signal)).pages()) {
    for (const { id } of page.rows) missing.delete(id);
    updatedThrough = seen.through(page) ?? updatedThrough;
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
