import type { SyncState } from '../sync-store.js';
import { createHorizon } from './horizon.js';
import { latestRows } from './latest-rows.js';
import { listFilter } from './list-filter.js';
import type { SyncOptions, SyncReport } from './sync-options.js';
import type { SyncSource } from './sync-source.js';

/** Each page moves the state on, so that whatever ends this early is gone on with from there. */
export async function readChanges<Row extends { readonly id: string }>(
  source: SyncSource<Row>,
  { store, companyId, signal }: SyncOptions<Row>,
  before: SyncState,
): Promise<SyncReport> {
  const { comparedAt } = before;
  let { updatedThrough } = before;
  const seen = createHorizon(source);
  let rows = 0;
  const filter = {
    ...listFilter(companyId, signal),
    ...(updatedThrough === null ? {} : { updatedSince: updatedThrough }),
  };
  for await (const page of source.list(filter).pages()) {
    updatedThrough = seen.through(page) ?? updatedThrough;
    await store.apply({
      upserts: latestRows(page.rows),
      disappeared: [],
      state: { updatedThrough, comparedAt },
    });
    rows += page.rows.length;
  }
  return { kind: 'changes', rows, disappeared: [], updatedThrough };
}
