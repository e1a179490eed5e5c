import type { EndpointState } from './endpoint.js';
import type { KeyId } from './ids.js';
import type { Instant } from './time.js';

/** The backlog of one endpoint. Each count stops at the bound that the caller asked for. */
export interface EndpointBacklog {
  readonly keyId: KeyId;
  readonly state: EndpointState['kind'];
  readonly isHeld: boolean;
  readonly unsent: number;
  readonly oldestUnsentAt: Instant | null;
  readonly due: number;
  readonly oldestDueAt: Instant | null;
  /** Since when the oldest delivery with a row is pending. */
  readonly oldestPendingAt: Instant | null;
  /** When the endpoint was last resumed. */
  readonly resumedAt: Instant | null;
  /** When the gap before its next attempt ends. Null if there is none. */
  readonly gapUntil: Instant | null;
  readonly scheduled: number;
  readonly dead: number;
}

/** The backlog of one endpoint or of all. An event counts in only one of `due`, `scheduled`, `paused` and `dead`. */
export interface DeliveryTotals {
  /** Events at active endpoints whose attempt is due now, including those that are being sent. */
  readonly due: number;
  /**
   * An upper bound of the deliveries that are being sent: `due` of the endpoints that a worker serves, limited to the
   * maximum in flight per endpoint.
   */
  readonly inFlight: number;
  /** Events at active endpoints that wait for a retry, or behind the gap of an endpoint that is sent to slowly. */
  readonly scheduled: number;
  /** Events that wait at paused endpoints, due or not. */
  readonly paused: number;
  /** Deliveries that failed at all ten attempts, at active and paused endpoints. */
  readonly dead: number;
  /** Since when the oldest event of `due` is due; null if none is. */
  readonly oldestDueAt: Instant | null;
  /** The age of `oldestDueAt`, in milliseconds; null without it. */
  readonly oldestDueMs: number | null;
  /**
   * Since when the oldest event waits for its delivery, even for a retry; null if nothing waits at an active endpoint.
   * A resend or a resumed endpoint starts the wait afresh.
   */
  readonly oldestWaitingAt: Instant | null;
  /** The age of `oldestWaitingAt`, in milliseconds; null without it. */
  readonly oldestWaitingMs: number | null;
  /** True if every number is exact; false if counting stopped at a bound, so that there may be more. */
  readonly isExact: boolean;
}

const EMPTY: DeliveryTotals = {
  due: 0,
  inFlight: 0,
  scheduled: 0,
  paused: 0,
  dead: 0,
  oldestDueAt: null,
  oldestDueMs: null,
  oldestWaitingAt: null,
  oldestWaitingMs: null,
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
): DeliveryTotals {
  const { state, isHeld, unsent, due, scheduled, dead } = backlog;
  const isPaused = state === 'paused';
  const waiting = unsent + due;
  const ready = isPaused ? 0 : readyOf(backlog, waiting, now);
  const oldestDueAt = isPaused
    ? null
    : sinceGap(backlog, earliest(backlog.oldestUnsentAt, backlog.oldestDueAt), now);
  const oldestWaitingAt = isPaused ? null : sinceGap(backlog, waitingSince(backlog), now);
  // List the fields: with tens of thousands of endpoints, object spread would take most of the time.
  return {
    due: ready,
    inFlight: isHeld ? Math.min(ready, maxInFlight) : 0,
    scheduled: isPaused ? 0 : scheduled + waiting - ready,
    paused: isPaused ? waiting + scheduled : 0,
    dead,
    oldestDueAt,
    oldestDueMs: age(oldestDueAt, now),
    oldestWaitingAt,
    oldestWaitingMs: age(oldestWaitingAt, now),
    isExact: unsent < bound && due < bound && scheduled < bound && dead < bound,
  };
}

/** Behind a gap, events wait for the partner: one is due when the gap has ended, and the others are scheduled. */
function readyOf({ gapUntil }: EndpointBacklog, waiting: number, now: Instant): number {
  if (gapUntil === null) return waiting;
  return gapUntil <= now ? Math.min(1, waiting) : 0;
}

function sinceGap({ gapUntil }: EndpointBacklog, since: Instant | null, now: Instant): Instant | null {
  if (gapUntil === null || since === null) return since;
  return gapUntil <= now ? Math.max(since, gapUntil) : null;
}

/** Adds up backlogs. */
export function sumBacklogs(counts: readonly DeliveryTotals[], now: Instant): DeliveryTotals {
  const sum = counts.reduce(
    (all, each) => ({
      due: all.due + each.due,
      inFlight: all.inFlight + each.inFlight,
      scheduled: all.scheduled + each.scheduled,
      paused: all.paused + each.paused,
      dead: all.dead + each.dead,
      oldestDueAt: earliest(all.oldestDueAt, each.oldestDueAt),
      oldestDueMs: null,
      oldestWaitingAt: earliest(all.oldestWaitingAt, each.oldestWaitingAt),
      oldestWaitingMs: null,
      isExact: all.isExact && each.isExact,
    }),
    EMPTY,
  );
  const { oldestDueAt, oldestWaitingAt } = sum;
  return { ...sum, oldestDueMs: age(oldestDueAt, now), oldestWaitingMs: age(oldestWaitingAt, now) };
}

function waitingSince({ oldestUnsentAt, oldestPendingAt, resumedAt }: EndpointBacklog): Instant | null {
  const oldest = earliest(oldestUnsentAt, oldestPendingAt);
  return oldest === null || resumedAt === null ? oldest : Math.max(oldest, resumedAt);
}

function age(since: Instant | null, now: Instant): number | null {
  return since === null ? null : Math.max(0, now - since);
}

function earliest(one: Instant | null, other: Instant | null): Instant | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}
