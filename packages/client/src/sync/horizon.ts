import type { Page } from '../listing.js';
import type { SyncSource } from './sync-source.js';

/** Longer than any transaction that commits late, where only the rows' own instants are known. */
const OVERLAP_MS = 5 * 60 * 1_000;

/** How far the pages of one list are complete. */
export interface Horizon<Row> {
  /**
   * Through this page: what the service says, or, once the last page is here, the largest instant seen, less a
   * safe distance. Null while it is not known.
   */
  through(page: Page<Row>): string | null;
}

/** Before the first page. */
export function createHorizon<Row>({ instantsOf }: SyncSource<Row>): Horizon<Row> {
  let largest = Number.NEGATIVE_INFINITY;
  return {
    through: (page) => {
      for (const instant of page.rows.flatMap(instantsOf)) largest = Math.max(largest, Date.parse(instant));
      if (page.updatedThrough !== null) return page.updatedThrough;
      if (page.nextCursor !== null || !Number.isFinite(largest)) return null;
      return new Date(largest - OVERLAP_MS).toISOString();
    },
  };
}
