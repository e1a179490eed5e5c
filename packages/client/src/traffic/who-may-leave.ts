import type { BucketQueue } from './bucket-queues.js';
import type { TrafficState, Waiting } from './traffic-state.js';

/** Whether a lane has a request that may leave, as long as the whole key is not throttled. */
export function mayLeave({ underWay, limits }: TrafficState, queue: BucketQueue<Waiting>): boolean {
  if (queue.queue.length === 0 || underWay >= limits.maxConcurrency) return false;
  return queue.window === null || queue.window.remaining > queue.underWay;
}

/** When the first of those that wait may leave, at the end of a window or of the key's 429; else never. */
export function nextOpening({ queues, closedUntil }: TrafficState, now: number): number {
  const waiting = [...queues.inTurn()].filter(({ queue }) => queue.length > 0);
  const ends = waiting.map(({ window }) => Math.max(closedUntil, window?.endsAt ?? 0));
  return Math.min(...ends.filter((end) => end > now));
}
