import { createHourTally } from '../domain/hour-count.js';
import type { Instant } from '../domain/time.js';
import type { HourCountRepository } from '../ports/repositories/system.js';

/** Counts answered requests by status, for each hour. */
export interface StatusTally {
  add(status: number, at: Instant): void;
  /** Stores the counts. Never rejects: if the storage fails, the next call stores them. */
  flush(): Promise<void>;
}

export function createStatusTally(hourCounts: Pick<HourCountRepository, 'add'>): StatusTally {
  const tally = createHourTally();
  return {
    add: (status, at) => tally.add('request', null, String(status), at),
    async flush() {
      const counts = tally.take();
      if (counts.length > 0) await hourCounts.add(counts).catch(() => tally.putBack(counts));
    },
  };
}
