import type { Instant } from '../../../domain/time.js';
import { breakOff } from './break-off.js';
import type { LaneState } from './lane-state.js';
import { lookAgain } from './look-again.js';
import { noteIdle } from './note-idle.js';
import { recordEnded } from './record-ended.js';
import type { Sending } from './sending.js';
import { isDone, isLookDue, nextStepAt } from './what-is-due.js';

/** How a lane ended. */
export interface LaneEnd {
  /** Whether something was committed that the lane did not look at any more. */
  readonly isNudged: boolean;
  /** Whether attempts ended that it could not record: they are made again. */
  readonly isUnrecorded: boolean;
  /** How long to leave the endpoint alone, in milliseconds; 0 after a lane that ended well. */
  readonly restMs: number;
}

/** Takes step after step until there is nothing left to do, and lets go of the endpoint. Never rejects. */
export async function runLane(lane: LaneState, sending: Sending): Promise<LaneEnd> {
  const { held, toLook, context } = lane;
  const { clock } = context.runtime;
  while (!held.isLost() && !isDone(lane, clock.now())) {
    try {
      await step(lane, sending);
    } catch (err) {
      breakOff(lane, err);
    }
  }
  lane.isClosing = true;
  if (!held.isLost()) await recordEnded(lane, true);
  lane.isOver = true;
  noteIdle(lane);
  return { isNudged: toLook.isNudged(), isUnrecorded: lane.isUnrecorded, restMs: lane.restMs };
}

async function step(lane: LaneState, sending: Sending): Promise<void> {
  const { clock } = lane.context.runtime;
  await lane.held.renewIfDue();
  if (isLookDue(lane, clock.now())) await lookAgain(lane);
  sending.launch();
  const now = clock.now();
  if (isDone(lane, now)) return;
  if (lane.toRecord.isDue(now)) return recordEnded(lane, false);
  noteIdle(lane);
  await waitForStep(lane, now);
}

async function waitForStep(lane: LaneState, now: Instant): Promise<void> {
  const { backlog, toRecord, bell } = lane;
  const nextAt = nextStepAt(lane, now);
  lane.wakesAt = backlog.inFlight() > 0 ? Math.min(nextAt, toRecord.expectedAt(now)) : nextAt;
  const waitMs = lane.wakesAt - now;
  if (waitMs > 0) await bell.wait(waitMs);
  lane.wakesAt = -Infinity;
}
