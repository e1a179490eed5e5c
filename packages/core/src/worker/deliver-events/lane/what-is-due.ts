import type { Instant } from '../../../domain/time.js';
import { isReached } from '../../is-reached.js';
import type { LaneState } from './lane-state.js';

/** Whether the lane may begin an attempt. */
export function maySend(lane: LaneState, now: Instant): boolean {
  if (lane.isClosing || lane.isUnrecorded || lane.restMs > 0) return false;
  if (lane.endpoint.current().state.kind !== 'active') return false;
  return lane.held.isSafe(now) && !lane.context.isTurnOver(lane.turnBeganAt ?? now, now);
}

/** Whether it has so little left to send that it wants more. */
export function isLow({ backlog, context }: LaneState): boolean {
  return backlog.waiting() < context.options.maxInFlightPerEndpoint;
}

/** Whether it must look now: for more to send, or at least at its endpoint. */
export function isLookDue(lane: LaneState, now: Instant): boolean {
  if (!maySend(lane, now)) return false;
  const { pollEveryMs } = lane.context.options;
  if (!isLow(lane)) return isReached(now, lane.seenAt + pollEveryMs, pollEveryMs);
  return lane.toLook.isDue(now) || (lane.toLook.isNudged() && lane.backlog.inFlight() === 0);
}

/** Whether there is nothing left that it could do. */
export function isDone(lane: LaneState, now: Instant): boolean {
  if (lane.backlog.inFlight() > 0) return false;
  if (!maySend(lane, now)) return true;
  return lane.backlog.waiting() === 0 && !isLookDue(lane, now) && !isLingering(lane, now);
}

/** What comes while there is something to record needs no new lease, and is recorded together with it. */
function isLingering({ toRecord, context }: LaneState, now: Instant): boolean {
  return toRecord.isPending(now) && context.mayLinger();
}

/** When there is something to do again: renew, record or look. */
export function nextStepAt(lane: LaneState, now: Instant): Instant {
  const nextLookAt = isLow(lane) ? lane.toLook.at() : lane.seenAt + lane.context.options.pollEveryMs;
  return Math.min(lane.held.renewAt(now), lane.toRecord.at(), maySend(lane, now) ? nextLookAt : Infinity);
}
