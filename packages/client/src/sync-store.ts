/** The progress of a copy. Save it with the rows. */
export interface SyncState {
  /** The copy has all changes up to this instant of the service; null if unknown. */
  readonly updatedThrough: string | null;
  /** When the whole list was last compared, in milliseconds since 1970; null if never. */
  readonly comparedAt: number | null;
}

/** One change of a copy. */
export interface SyncChange<Row> {
  /** Rows to insert or replace by `id`. Each id occurs once. */
  readonly upserts: readonly Row[];
  /** Ids of rows that left the list. */
  readonly disappeared: readonly string[];
  readonly state: SyncState;
}

/**
 * A partner's copy of a list. Use one store per list, key and company filter. Test your own with
 * `syncStoreChecks` from `@partner-hiring/client/testing`.
 */
export interface SyncStore<Row> {
  /** Null before the first `apply`. */
  readState(): Promise<SyncState | null>;
  /** Saves rows and state in one transaction. Without transactions, save the state last. */
  apply(change: SyncChange<Row>): Promise<void>;
  listIds(): Promise<readonly string[]>;
}

/** A copy in memory. After a restart, everything is read again. */
export interface MemorySyncStore<Row> extends SyncStore<Row> {
  readonly rows: ReadonlyMap<string, Row>;
}

/**
 * Builds an empty copy in memory.
 * @example
 * const store = createMemorySyncStore<Job>();
 * await client.jobs.sync({ store });
 * console.log(store.rows.size);
 */
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
