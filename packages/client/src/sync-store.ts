/** The progress of a copy. Save it with the rows. */
export interface SyncState {
  /** The copy has all changes up to this instant of the service; null if unknown. */
  readonly updatedThrough: string | null;
  /** When the whole list was last compared, in milliseconds since 1970; null if never. */
  readonly comparedAt: number | null;
  /** A comparison that the next sync continues. If the store does not keep it, the comparison begins anew. */
  readonly comparing?: UnfinishedComparison | undefined;
}

/** A comparison of the whole list that was interrupted. */
export interface UnfinishedComparison {
  /** When its first part began, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Whether the copy was empty then. */
  readonly isFirst: boolean;
  readonly cursor: string;
}

/** One change of a copy. */
export interface SyncChange<Row> {
  /** Rows to insert or replace by `id`. Each id occurs once. */
  readonly upserts: readonly Row[];
  /** Ids of rows that left the list. */
  readonly disappeared: readonly string[];
  readonly state: SyncState;
  /** The comparison that has seen these `upserts`, for `listUnseen`; missing for changes. */
  readonly comparison?: number | undefined;
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
  /**
   * Optional: returns the ids of the rows that no `apply` with this `comparison` had. With it, an interrupted comparison
   * goes on instead of beginning anew. `apply` must save `comparison` with each row.
   */
  readonly listUnseen?: ((comparison: number) => Promise<readonly string[]>) | undefined;
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
  const seen = new Map<string, number | undefined>();
  let state: SyncState | null = null;
  return {
    rows,
    readState: async () => state,
    apply: async (change) => {
      for (const row of change.upserts) {
        rows.set(row.id, row);
        seen.set(row.id, change.comparison);
      }
      for (const id of change.disappeared) rows.delete(id);
      state = change.state;
    },
    listIds: async () => [...rows.keys()],
    listUnseen: async (comparison) => [...rows.keys()].filter((id) => seen.get(id) !== comparison),
  };
}
