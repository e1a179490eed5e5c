import type { LaneState } from './lane-state.js';

/** Says whether the lane lingers: at once, not with the next step, since until it is known it keeps others from being leased. */
export function noteIdle(lane: LaneState): void {
  const isIdle = !lane.isOver && lane.backlog.waiting() === 0 && lane.backlog.inFlight() === 0;
  if (isIdle !== lane.isIdle) lane.context.onLingering(isIdle);
  lane.isIdle = isIdle;
}
