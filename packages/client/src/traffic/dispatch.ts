import type { AttemptResult } from '../execute/attempt.js';
import type { Route } from '../route.js';
import { type BucketQueue, standing } from './bucket-queues.js';
import { heedAnswer } from './heed-answer.js';
import type { TrafficState, Waiting } from './traffic-state.js';
import { mayLeave, nextOpening } from './who-may-leave.js';

/** Lets out what may leave. A lane that has let one out stands behind the others. */
export function dispatch(traffic: TrafficState): void {
  const { clock, queues, alarm } = traffic;
  const now = clock.now();
  queues.renewWindows(now);
  for (const queue of now < traffic.closedUntil ? [] : queues.inTurn()) {
    if (!mayLeave(traffic, queue)) continue;
    queues.toBack(queue);
    release(traffic, queue);
  }
  queues.forgetIdle();
  alarm.setFor(nextOpening(traffic, now));
}

function release(traffic: TrafficState, queue: BucketQueue<Waiting>): void {
  const next = queue.queue.shift();
  if (next === undefined) return;
  queue.underWay += 1;
  traffic.underWay += 1;
  next.permit = { returned: (result) => onReturn(traffic, next.route, queue, result) };
  next.over.abort();
}

/** `left`: the lane that the request left by. */
function onReturn(
  traffic: TrafficState,
  route: Route,
  left: BucketQueue<Waiting>,
  result: AttemptResult | null,
): void {
  traffic.underWay -= 1;
  standing(left).underWay -= 1;
  if (result?.kind === 'answered') heedAnswer(traffic, route, left, result.answer);
  dispatch(traffic);
}
