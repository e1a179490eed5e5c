import type { EndpointState } from './endpoint.js';
import type { KeyId } from './ids.js';
import type { Instant } from './time.js';

/** Each count stops at the requested bound. */
export interface EndpointBacklog {
  readonly keyId: KeyId;
  readonly state: EndpointState['kind'];
  readonly isHeld: boolean;
  readonly unsent: number;
  readonly oldestUnsentAt: Instant | null;
  readonly due: number;
  readonly oldestDueAt: Instant | null;
  readonly scheduled: number;
  readonly dead: number;
}

/** The backlog of one endpoint or of all. */
export interface BacklogCounts {
  readonly due: number;
  /** An upper bound: `due`, capped per endpoint. */
  readonly inFlight: number;
  readonly scheduled: number;
  readonly paused: number;
  readonly dead: number;
  readonly oldestDueAt: Instant | null;
  readonly oldestDueMs: number | null;
  /** False if a count reached its bound. */
  readonly isExact: boolean;
}

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

/** Limits for counting. */
export interface CountRules {
  readonly now: Instant;
  readonly bound: number;
  readonly maxInFlight: number;
}

/** Counts the backlog of an endpoint. */
export function countBacklog(
  backlog: EndpointBacklog,
  { now, bound, maxInFlight }: CountRules,
): BacklogCounts {
  const { state, isHeld, unsent, due, scheduled, dead } = backlog;
  const isPaused = state === 'paused';
  const waiting = unsent + due;
  const oldestDueAt = isPaused ? null : earliest(backlog.oldestUnsentAt, backlog.oldestDueAt);
  // A spread would take most of the time with tens of thousands of endpoints.
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

/** Adds up backlogs. */
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
