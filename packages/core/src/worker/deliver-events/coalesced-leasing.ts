import type { Clock } from '../../ports/runtime.js';

/** More endpoints are leased this long after the first lane is done: one statement leases many. */
const GATHER_ROOM_MS = 20;

/** Builds what tells of room a little later, once for all calls until then. Until then the lanes that go on use the slots. */
export function createCoalescedLeasing(clock: Pick<Clock, 'sleep'>, onRoom: () => void): () => void {
  let isGathering = false;
  return () => {
    if (isGathering) return;
    isGathering = true;
    void clock.sleep(GATHER_ROOM_MS).then(() => {
      isGathering = false;
      onRoom();
    });
  };
}
