import type { Instant } from '../../../domain/time.js';
import { isReached } from '../../is-reached.js';
import type { SenderState } from './sender-state.js';

/** Whether the lane may begin an attempt. */
export function maySend(sender: SenderState, now: Instant): boolean {
  if (sender.isClosing || sender.isUnrecorded || sender.cooldownMs > 0) return false;
  if (sender.endpoint.current().state.kind !== 'active') return false;
  return sender.held.isSafe(now) && !sender.context.isTurnOver(sender.turnBeganAt ?? now, now);
}

/** Whether it has so little left to send that it wants more. */
export function isLow({ backlog, context }: SenderState): boolean {
  return backlog.waiting() < context.options.maxInFlightPerEndpoint;
}

/** Whether it must look now: for more to send, or at least at its endpoint. */
export function isPollDue(sender: SenderState, now: Instant): boolean {
  if (!maySend(sender, now)) return false;
  const { pollEveryMs } = sender.context.options;
  if (!isLow(sender)) return isReached(now, sender.seenAt + pollEveryMs, pollEveryMs);
  return sender.pollPlan.isDue(now) || (sender.pollPlan.isWoken() && sender.backlog.inFlight() === 0);
}

/** Whether there is nothing left that it could do. */
export function isDone(sender: SenderState, now: Instant): boolean {
  if (sender.backlog.inFlight() > 0) return false;
  if (!maySend(sender, now)) return true;
  return sender.backlog.waiting() === 0 && !isPollDue(sender, now) && !isLingering(sender, now);
}

/** What comes while there is something to record needs no new lease, and is recorded together with it. */
function isLingering({ toRecord, context }: SenderState, now: Instant): boolean {
  return toRecord.isPending(now) && context.mayLinger();
}

/** When there is something to do again: renew, record or look. */
export function nextStepAt(sender: SenderState, now: Instant): Instant {
  const nextPollAt = isLow(sender)
    ? sender.pollPlan.at()
    : sender.seenAt + sender.context.options.pollEveryMs;
  return Math.min(
    sender.held.renewAt(now),
    sender.toRecord.at(),
    maySend(sender, now) ? nextPollAt : Infinity,
  );
}
