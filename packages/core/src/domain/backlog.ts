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
  const isPaused = state === 'paused';
  const waiting = unsent + due;
  const oldestDueAt = isPaused ? null : earliest(backlog.oldestUnsentAt, backlog.oldestDueAt);
  // Written out: with tens of thousands of endpoints, spreading one object into another takes most of the time.
  return {
    due: isPaused ? 0 : waiting,
    inFlight: isHeld && !isPaused ? Math.min(waiting, maxInFlight) : 0,
    scheduled: isPaused ? 0 : scheduled,
    paused: isPaused ? waiting + scheduled : 0,
    dead,
    oldestDueAt,
    oldestDueMs: age(oldestDueAt, now),
    isExact: unsent < bound && due < bound && scheduled < bound && dead < bound,
  };
}

/** What waits for all of them together. */
export function sumBacklogs(counts: readonly BacklogCounts[], now: Instant): BacklogCounts {
  const sum = counts.reduce(
    (all, each) => ({
      due: all.due + each.due,
      inFlight: all.inFlight + each.inFlight,
      scheduled: all.scheduled + each.scheduled,
      paused: all.paused + each.paused,
      dead: all.dead + each.dead,
      oldestDueAt: earliest(all.oldestDueAt, each.oldestDueAt),
      oldestDueMs: null,
      isExact: all.isExact && each.isExact,
    }),
    EMPTY,
  );
  return { ...sum, oldestDueMs: age(sum.oldestDueAt, now) };
}

function age(since: Instant | null, now: Instant): number | null {
  return since === null ? null : Math.max(0, now - since);
}

function earliest(one: Instant | null, other: Instant | null): Instant | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}
