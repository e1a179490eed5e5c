import type { AttemptResult } from '../execute/attempt.js';
import type { Route } from '../route.js';
import { heedAnswer } from './heed-answer.js';
import { type Lane, standing } from './lanes.js';
import type { TrafficState, Waiting } from './traffic-state.js';
import { mayLeave, nextOpening } from './who-may-leave.js';

/** Lets out what may leave. A lane that has let one out stands behind the others. */
export function dispatch(traffic: TrafficState): void {
  const { clock, lanes, alarm } = traffic;
  const now = clock.now();
  lanes.renewWindows(now);
  for (const lane of now < traffic.closedUntil ? [] : lanes.inTurn()) {
    if (!mayLeave(traffic, lane)) continue;
    lanes.toBack(lane);
    release(traffic, lane);
  }
  lanes.forgetIdle();
  alarm.setFor(nextOpening(traffic, now));
}

function release(traffic: TrafficState, lane: Lane<Waiting>): void {
  const next = lane.queue.shift();
  if (next === undefined) return;
  lane.underWay += 1;
  traffic.underWay += 1;
  next.permit = { returned: (result) => onReturn(traffic, next.route, lane, result) };
  next.over.abort();
}

/** `left`: the lane that the request left by. */
function onReturn(
  traffic: TrafficState,
  route: Route,
  left: Lane<Waiting>,
  result: AttemptResult | null,
): void {
  traffic.underWay -= 1;
  standing(left).underWay -= 1;
  if (result?.kind === 'answered') heedAnswer(traffic, route, left, result.answer);
  dispatch(traffic);
}
