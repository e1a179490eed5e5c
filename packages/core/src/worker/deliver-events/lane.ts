import type { KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { LeasedEndpoint } from '../../ports/repositories/endpoints.js';
import { breakOff } from './lane/break-off.js';
import type { TakenLease } from './lane/held-lease.js';
import type { LaneContext } from './lane/lane-context.js';
import { createLaneState, type LaneState } from './lane/lane-state.js';
import { noteIdle } from './lane/note-idle.js';
import { type LaneEnd, runLane } from './lane/run-lane.js';
import { createSending, type Sending } from './lane/sending.js';
import { isDone, isLookDue, maySend, nextStepAt } from './lane/what-is-due.js';

export type { LaneContext } from './lane/lane-context.js';
export type { LaneEnd } from './lane/run-lane.js';

/** One leased endpoint at work: it sends what is due, a few at a time, and records what came of it. */
export interface Lane {
  readonly keyId: KeyId;
  /** Something was committed, perhaps nothing but events: look again soon. */
  nudge(isOnlyEvents: boolean): void;
  /** Whether its claim may have run out although it goes on: it was held up or asleep, and renews it next. */
  isLate(now: Instant): boolean;
  /** Somebody waits for it to end: wait for nothing more. */
  hurry(): void;
  /** Begins no further attempt; ends once those under way are recorded. */
  close(): void;
  /** Ends at once and records nothing more. What was under way is sent again once the lease ran out. */
  abandon(): void;
  /** Never rejects. */
  readonly ended: Promise<LaneEnd>;
}

/** Opens the lane of an endpoint that was just leased. */
export function openLane(context: LaneContext, leased: LeasedEndpoint, taken: TakenLease): Lane {
  const lane = createLaneState(context, leased, taken);
  const { keyId, held, bell, toLook } = lane;
  const { clock } = context.runtime;
  return {
    keyId,
    nudge(isOnlyEvents) {
      toLook.nudge(clock.now(), isOnlyEvents);
      bell.ring();
    },
    isLate: (now) => !lane.isUnrecorded && !held.isSafe(now),
    hurry: bell.ring,
    close() {
      lane.isClosing = true;
      bell.ring();
    },
    abandon() {
      held.lose();
      bell.ring();
    },
    ended: runLane(lane, openSending(lane)),
  };
}

function openSending(lane: LaneState): Sending {
  const { context, backlog, endpoint, held, toRecord } = lane;
  const { clock } = context.runtime;
  return createSending({
    backlog,
    endpoint,
    slots: context.slots,
    holder: held,
    ports: context.ports,
    runtime: context.runtime,
    maxInFlight: context.options.maxInFlightPerEndpoint,
    maySend: (now) => maySend(lane, now),
    onEnd: () => toRecord.plan(clock.now(), endpoint.current().state.kind !== 'active'),
    onBreak: (err) => breakOff(lane, err),
    onChange: (now) => wakeIfDue(lane, now),
  });
}

/** Rings not for each attempt: a wait that is broken off costs more than signing. */
function wakeIfDue(lane: LaneState, now: Instant): void {
  noteIdle(lane);
  if (isLookDue(lane, now) || isDone(lane, now) || nextStepAt(lane, now) < lane.wakesAt) lane.bell.ring();
}
