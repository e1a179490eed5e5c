import { see } from './poll-again.js';
import type { SenderState } from './sender-state.js';
import { settleWithRetry } from './settle-with-retry.js';

/** Records what has ended, however often that fails, unless the lease is lost; and gives the lease back if the lane ends. */
export async function recordEnded(sender: SenderState, release: boolean): Promise<void> {
  const { context, keyId, backlog, held, toRecord } = sender;
  const { runtime, logger } = context;
  toRecord.clear();
  const report = backlog.report();
  const settlement = { keyId, token: held.token, release, ...report };
  const settled = await settleWithRetry(context.settle, settlement, {
    clock: runtime.clock,
    random: runtime.random,
    lease: held,
    onFailure(err) {
      sender.isUnrecorded = true;
      logger.error({ err, keyId }, 'Ended attempts could not be recorded; trying again.');
    },
    onBusy() {
      sender.isUnrecorded = true;
    },
  });
  if (settled === null || settled.kind === 'lost') return held.lose();
  sender.isUnrecorded = false;
  backlog.settled(report, settled.passed);
  see(sender, settled.endpoint);
}
