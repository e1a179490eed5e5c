import type { LaneState } from './lane-state.js';
import { see } from './look-again.js';
import { settlePatiently } from './settle-patiently.js';

/** Records what has ended, however often that fails, unless the lease is lost; and gives the lease back if the lane ends. */
export async function recordEnded(lane: LaneState, release: boolean): Promise<void> {
  const { context, keyId, backlog, held, toRecord } = lane;
  const { runtime, logger } = context;
  toRecord.clear();
  const report = backlog.report();
  const settlement = { keyId, token: held.token, release, ...report };
  const settled = await settlePatiently(context.settle, settlement, {
    clock: runtime.clock,
    random: runtime.random,
    lease: held,
    onFailure(err) {
      lane.isUnrecorded = true;
      logger.error({ err, keyId }, 'Ended attempts could not be recorded; trying again.');
    },
    onBusy() {
      lane.isUnrecorded = true;
    },
  });
  if (settled === null || settled.kind === 'lost') return held.lose();
  lane.isUnrecorded = false;
  backlog.settled(report, settled.passed);
  see(lane, settled.endpoint);
}
