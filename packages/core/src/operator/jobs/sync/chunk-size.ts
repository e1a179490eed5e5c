import type { StorageClock } from '../../../storage-clock.js';
import { yieldToEventLoop } from '../../event-loop.js';

/** On SQLite, requests wait a few milliseconds for a commit of this many rows. */
const FEWEST_ROWS = 32;

/** More rows in a commit save little time, and hold its locks for longer. */
const MOST_ROWS = 512;

/**
 * Returns a function that gives requests a turn, and then says how many rows the next chunk has: fewer if the turn took a
 * millisecond because the process serves requests, and otherwise more.
 */
export function createChunkSize({ now }: Pick<StorageClock, 'now'>): () => Promise<number> {
  let rows = FEWEST_ROWS;
  return async () => {
    const startedAt = now();
    await yieldToEventLoop();
    rows = now() > startedAt ? Math.max(FEWEST_ROWS, rows / 2) : Math.min(MOST_ROWS, rows * 2);
    return rows;
  };
}
