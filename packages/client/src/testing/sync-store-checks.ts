import type { SyncState, SyncStore } from '../sync-store.js';
import { expectSame, type StoreCheck } from './store-check.js';

/** A row of the store, such as a job or an application. */
export interface SyncedRow {
  readonly id: string;
}

/** Opens an empty store. */
export type OpenSyncStore<Row extends SyncedRow> = () => Promise<SyncStore<Row>>;

const FIRST: SyncState = { updatedThrough: '2026-11-21T10:15:30.123Z', comparedAt: null };
const SECOND: SyncState = { updatedThrough: '2026-11-21T10:15:30.124Z', comparedAt: 1_795_256_130_123 };

const STARTED = 1_795_256_130_200;
const COMPARING: SyncState = {
  ...SECOND,
  comparing: { startedAt: STARTED, isFirst: false, cursor: 'AgAAAaH51UmB' },
};

/**
 * Returns the checks that every `SyncStore` must pass.
 * @param sample - builds a row with that `id`, as the service would send it.
 * @example
 * const checks = syncStoreChecks(async () => createMemorySyncStore<{ id: string }>(), (id) => ({ id }));
 * for (const { run } of checks) await run();
 */
export function syncStoreChecks<Row extends SyncedRow>(
  open: OpenSyncStore<Row>,
  sample: (id: string) => Row,
): readonly StoreCheck[] {
  const check = (name: string, run: (store: SyncStore<Row>) => Promise<void>): StoreCheck => ({
    name,
    run: async () => run(await open()),
  });
  const rows = (...ids: readonly string[]) => ids.map(sample);
  const idsOf = async (store: SyncStore<Row>) => [...(await store.listIds())].sort();
  return [
    check('has no state and no rows at first', async (store) => {
      expectSame('readState', await store.readState(), null);
      expectSame('listIds', await idsOf(store), []);
    }),
    check('keeps rows and state together', async (store) => {
      await store.apply({ upserts: rows('row_1', 'row_2'), disappeared: [], state: FIRST });
      expectSame('readState', await store.readState(), FIRST);
      expectSame('listIds', await idsOf(store), ['row_1', 'row_2']);
    }),
    check('updates existing rows and adds new ones', async (store) => {
      await store.apply({ upserts: rows('row_1'), disappeared: [], state: FIRST });
      await store.apply({ upserts: rows('row_1', 'row_2'), disappeared: [], state: SECOND });
      expectSame('readState', await store.readState(), SECOND);
      expectSame('listIds', await idsOf(store), ['row_1', 'row_2']);
    }),
    check('removes rows that disappeared, and ignores unknown ids', async (store) => {
      await store.apply({ upserts: rows('row_1', 'row_2'), disappeared: [], state: FIRST });
      await store.apply({ upserts: rows('row_3'), disappeared: ['row_1', 'row_9'], state: SECOND });
      expectSame('listIds', await idsOf(store), ['row_2', 'row_3']);
    }),
    check('knows which rows a comparison has not seen, if it has listUnseen', async (store) => {
      const unseenBy = async (comparison: number) =>
        [...((await store.listUnseen?.(comparison)) ?? [])].sort();
      if (store.listUnseen === undefined) return;
      await store.apply({ upserts: rows('row_1', 'row_2'), disappeared: [], state: FIRST });
      await store.apply({
        upserts: rows('row_1', 'row_3'),
        disappeared: [],
        state: COMPARING,
        comparison: STARTED,
      });
      expectSame('readState', await store.readState(), COMPARING);
      expectSame('listUnseen', await unseenBy(STARTED), ['row_2']);
      expectSame('listUnseen of another comparison', await unseenBy(STARTED + 1), [
        'row_1',
        'row_2',
        'row_3',
      ]);
      await store.apply({
        upserts: rows('row_2'),
        disappeared: ['row_3'],
        state: SECOND,
        comparison: STARTED,
      });
      expectSame('listUnseen', await unseenBy(STARTED), []);
    }),
    check('keeps the state of a change without rows', async (store) => {
      await store.apply({ upserts: [], disappeared: [], state: SECOND });
      expectSame('readState', await store.readState(), SECOND);
    }),
  ];
}
