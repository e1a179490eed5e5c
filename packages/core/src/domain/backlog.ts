import type { EndpointState } from './endpoint.js';
import type { KeyId } from './ids.js';
import type { Instant } from './time.js';

/** What the storage counts for one endpoint. No count goes beyond the bound that was asked with. */
export interface EndpointBacklog {
  readonly keyId: KeyId;
  readonly state: EndpointState['kind'];
  /** Whether a worker holds the endpoint. */
  readonly isHeld: boolean;
  /** Events beyond the watermark. */
  readonly unsent: number;
  /** When the oldest of them was recorded. */
  readonly oldestUnsentAt: Instant | null;
  /** Pending rows whose next attempt is due. */
  readonly due: number;
  /** Since when the longest due of them is. */
  readonly oldestDueAt: Instant | null;
  /** Pending rows whose next attempt lies ahead. */
  readonly scheduled: number;
  readonly dead: number;
}

/** What waits for an endpoint, or for all, as an operator asks. */
export interface BacklogCounts {
  /** To be sent now, those in flight included. Nothing is due at a paused endpoint. */
  readonly due: number;
  /**
   * How many of the due are under way at most: a worker that holds the endpoint keeps as many under way as are
   * due, up to the cap per endpoint. 0 while no worker holds it.
   */
  readonly inFlight: number;
  /** Failed, with the next attempt ahead. */
  readonly scheduled: number;
  /** All that waits for a paused endpoint to be resumed. */
  readonly paused: number;
  /** Dead letters. */
  readonly dead: number;
  /** Since when the oldest due has been; null if nothing is. */
  readonly oldestDueAt: Instant | null;
  /** The age of the oldest due, in milliseconds; null if nothing is. */
  readonly oldestDueMs: number | null;
  /** False if a count reached its bound: then there are at least so many. */
  readonly isExact: boolean;
}

/** Nothing waits. */
const EMPTY: BacklogCounts = {
  due: 0,
  inFlight: 0,
  scheduled: 0,
  paused: 0,
  dead: 0,
  oldestDueAt: null,
  oldestDueMs: null,
  isExact: true,
};

/** How the backlog of an endpoint is counted: by how many at most, and how many may be under way to it. */
export interface CountRules {
  readonly now: Instant;
  readonly bound: number;
  readonly maxInFlight: number;
}

/** What waits for one endpoint. */
export function countBacklog(
  backlog: EndpointBacklog,
  { now, bound, maxInFlight }: CountRules,
): BacklogCounts {
  const { state, isHeld, unsent, due, scheduled, dead } = backlog;
  const isExact = [unsent, due, scheduled, dead].every((count) => count < bound);
  if (state === 'paused') return { ...EMPTY, paused: unsent + due + scheduled, dead, isExact };
  const oldestDueAt = earliest(backlog.oldestUnsentAt, backlog.oldestDueAt);
  return {
    due: unsent + due,
    inFlight: isHeld ? Math.min(unsent + due, maxInFlight) : 0,
    ...{ scheduled, paused: 0, dead, isExact },
    ...dueSince(oldestDueAt, now),
  };
}

/** What waits for all of them together. */
export function sumBacklogs(counts: readonly BacklogCounts[], now: Instant): BacklogCounts {
  return counts.reduce(
    (sum, each) => ({
      due: sum.due + each.due,
      inFlight: sum.inFlight + each.inFlight,
      scheduled: sum.scheduled + each.scheduled,
      paused: sum.paused + each.paused,
      dead: sum.dead + each.dead,
      isExact: sum.isExact && each.isExact,
      ...dueSince(earliest(sum.oldestDueAt, each.oldestDueAt), now),
    }),
    EMPTY,
  );
}

function dueSince(oldestDueAt: Instant | null, now: Instant) {
  return { oldestDueAt, oldestDueMs: oldestDueAt === null ? null : Math.max(0, now - oldestDueAt) };
}

function earliest(one: Instant | null, other: Instant | null): Instant | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}
