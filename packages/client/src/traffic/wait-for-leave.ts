import type { Route } from '../route.js';
import { dispatch } from './dispatch.js';
import type { Permit, TrafficState, Waiting } from './traffic-state.js';

/** Stands in the queue until the request may leave; null if that would be later than `until`. */
export async function waitForLeave(
  traffic: TrafficState,
  route: Route,
  until: number,
  signal: AbortSignal | undefined,
): Promise<Permit | null> {
  signal?.throwIfAborted();
  const permit = await standInQueue(traffic, route, until, signal);
  if (signal?.aborted === true) permit?.returned(null);
  signal?.throwIfAborted();
  return permit;
}

/** Until it may leave, or is no longer wanted, or has waited for as long as it may. */
async function standInQueue(
  traffic: TrafficState,
  route: Route,
  until: number,
  signal: AbortSignal | undefined,
): Promise<Permit | null> {
  const { clock, queues } = traffic;
  const waiting: Waiting = { route, over: new AbortController(), permit: null };
  const end = () => waiting.over.abort();
  signal?.addEventListener('abort', end);
  queues.queueOf(route).queue.push(waiting);
  dispatch(traffic);
  await clock.sleep(until - clock.now(), waiting.over.signal);
  signal?.removeEventListener('abort', end);
  if (waiting.permit === null) withdraw(traffic, waiting);
  return waiting.permit;
}

function withdraw(traffic: TrafficState, waiting: Waiting): void {
  for (const { queue } of traffic.queues.inTurn()) {
    const index = queue.indexOf(waiting);
    if (index >= 0) queue.splice(index, 1);
  }
  dispatch(traffic);
}
