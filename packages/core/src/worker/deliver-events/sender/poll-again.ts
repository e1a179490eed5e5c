import type { Endpoint } from '../../../domain/endpoint.js';
import { isLow } from './next-step.js';
import type { SenderState } from './sender-state.js';

/** To see only the endpoint: while a lane can send no more, an operator may pause it, or change its URL. */
const NOTHING_MORE = { after: Number.MAX_SAFE_INTEGER, logLimit: 0, dueLimit: 0 } as const;

/** Looks at the endpoint, and for more to send if the lane is low. */
export async function pollAgain(sender: SenderState): Promise<void> {
  const { context, keyId, backlog, pollPlan } = sender;
  const now = context.runtime.clock.now();
  if (!isLow(sender)) return see(sender, (await context.poll({ keyId, ...NOTHING_MORE })).endpoint);
  const reading = await backlog.read(pollPlan.begin(now));
  see(sender, reading.endpoint);
  sender.turnBeganAt ??= sender.seenAt;
  if (reading.endpoint === null) return;
  reading.takeOn(context.storageClock.now());
  pollPlan.ended(sender.seenAt, reading.isFull);
}

/** Notes how the endpoint is stored. One that was paused is left: by when it is resumed, what waits here may have been cancelled. */
export function see(sender: SenderState, stored: Endpoint | null): void {
  sender.seenAt = sender.context.runtime.clock.now();
  if (stored === null || stored.state.kind !== 'active') sender.isClosing = true;
  if (stored !== null) sender.endpoint.seen(stored, sender.backlog.ended());
}
