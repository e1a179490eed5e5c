/** How far a copy is. */
export interface SyncState {
  /** The copy holds everything that changed up to this instant of the service's; null: of nothing yet. */
  readonly updatedThrough: string | null;
  /** When the whole list was last read and compared, in milliseconds since 1970; null: never. */
  readonly comparedAt: number | null;
}

/** What one step does to a copy. */
export interface SyncChange<Row> {
  /** To be inserted, or to take the place of the row with the same `id`. No `id` comes twice. */
  readonly upserts: readonly Row[];
  /** Identifiers of rows that are no longer listed. */
  readonly disappeared: readonly string[];
  /** To be kept with the rows. */
  readonly state: SyncState;
}

/**
 * A partner's copy of a list: rows by `id`, and how far it is. One store is for one list, one key and one
 * company filter. `syncStoreChecks` in `@partner-hiring/client/testing` says whether a store is fit.
 */
export interface SyncStore<Row> {
  /** Null if nothing was kept yet. */
  readState(): Promise<SyncState | null>;
  /**
   * Changes rows and state together, in one transaction: all of it or nothing. A store that cannot do that
   * keeps the state last; rows are then read again after a crash, and none is missed.
   */
  apply(change: SyncChange<Row>): Promise<void>;
  /** The identifiers of all rows. */
  listIds(): Promise<readonly string[]>;
}

/** A copy in memory, for tests and small programs: after a restart everything is read anew. */
export interface MemorySyncStore<Row> extends SyncStore<Row> {
  readonly rows: ReadonlyMap<string, Row>;
}

/** An empty copy in memory. */
export function createMemorySyncStore<Row extends { readonly id: string }>(): MemorySyncStore<Row> {
  const rows = new Map<string, Row>();
  let state: SyncState | null = null;
  return {
    rows,
    readState: async () => state,
    apply: async (change) => {
      for (const row of change.upserts) rows.set(row.id, row);
      for (const id of change.disappeared) rows.delete(id);
      state = change.state;
    },
    listIds: async () => [...rows.keys()],
  };
}
