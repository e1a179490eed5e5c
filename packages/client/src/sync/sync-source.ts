import type { Listing, ListOptions } from '../listing.js';

/** What syncing needs of a list. */
export interface SyncSource<Row> {
  list(options: ListOptions): Listing<Row>;
  /** The instants in a row at which it may have changed, for a service that does not say how far a page is. */
  instantsOf(row: Row): readonly string[];
  now(): number;
}
