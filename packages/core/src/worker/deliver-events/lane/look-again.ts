import type { Endpoint } from '../../../domain/endpoint.js';
import type { LaneState } from './lane-state.js';
import { isLow } from './what-is-due.js';

/** To see only the endpoint: while a lane can send no more, an operator may pause it, or change its URL. */
const NOTHING_MORE = { after: Number.MAX_SAFE_INTEGER, logLimit: 0, dueLimit: 0 } as const;

/** Looks at the endpoint, and for more to send if the lane is low. */
export async function lookAgain(lane: LaneState): Promise<void> {
  const { context, keyId, backlog, toLook } = lane;
  const now = context.runtime.clock.now();
  if (!isLow(lane)) return see(lane, (await context.look({ keyId, ...NOTHING_MORE })).endpoint);
  const reading = await backlog.read(toLook.begin(now));
  see(lane, reading.endpoint);
  lane.turnBeganAt ??= lane.seenAt;
  if (reading.endpoint === null) return;
  reading.takeOn(context.storageClock.now());
  toLook.ended(lane.seenAt, reading.isFull);
}

/** Notes how the endpoint is stored. One that was paused is left: by when it is resumed, what waits here may have been cancelled. */
export function see(lane: LaneState, stored: Endpoint | null): void {
  lane.seenAt = lane.context.runtime.clock.now();
  if (stored === null || stored.state.kind !== 'active') lane.isClosing = true;
  if (stored !== null) lane.endpoint.seen(stored, lane.backlog.ended());
}
