import { type Instant, isReached } from '../../domain/time.js';
import { nextSharedInstant, type Sender } from './sender-state.js';

export function mayStart(sender: Sender, now: Instant): boolean {
  const { phase, isUnrecorded, endpoint, rules, sliceBeganAt } = sender;
  if (phase !== 'open' || isUnrecorded || endpoint.state.kind !== 'active') return false;
  return isLeaseSafe(sender, now) && !rules.isSliceOver(sliceBeganAt ?? now, now);
}

/** Returns whether the longest possible attempt, begun now, would end within the lease. */
export function isLeaseSafe({ phase, leaseUntil, rules }: Sender, now: Instant): boolean {
  return phase !== 'lost' && now <= leaseUntil - rules.options.leaseMs / 3;
}

/** Returns whether to start an attempt now. */
export function canLaunch(sender: Sender, now: Instant): boolean {
  const { queue } = sender;
  if (queue.waiting() === 0 || queue.inFlight() >= sender.width) return false;
  return gapLeftMs(sender, now) === 0 && mayStart(sender, now);
}

/** Returns how long the next attempt must wait, in milliseconds. */
export function gapLeftMs({ gapEndsAt, endpoint }: Sender, now: Instant): number {
  const { gap } = endpoint.health;
  return gap === null || isReached(now, gapEndsAt, gap.until - gap.at) ? 0 : gapEndsAt - now;
}

export function isLow({ queue, rules }: Sender): boolean {
  return queue.waiting() < rules.options.maxInFlightPerEndpoint;
}

export function isPollDue(sender: Sender, now: Instant): boolean {
  if (!mayStart(sender, now)) return false;
  const { pollEveryMs } = sender.rules.options;
  if (!isLow(sender)) return isReached(now, sender.seenAt + pollEveryMs, pollEveryMs);
  return isReached(now, sender.pollAt, pollEveryMs) || (sender.isWoken && sender.queue.inFlight() === 0);
}

export function isRecordDue({ recordAt, rules }: Sender, now: Instant): boolean {
  return recordAt !== Infinity && isReached(now, recordAt, rules.options.settleEveryMs);
}

export function isDone(sender: Sender, now: Instant): boolean {
  const { phase, queue, rules } = sender;
  if (queue.inFlight() > 0) return phase === 'cut';
  if (!mayStart(sender, now) || isGapLong(sender, now)) return true;
  if (queue.waiting() > 0 || isPollDue(sender, now)) return false;
  // The sender stays open until its next record, so that new events before then need no new lease.
  const isRecordPending = sender.recordAt !== Infinity && !isRecordDue(sender, now);
  return !(isRecordPending && rules.mayIdle());
}

/** Returns whether to give the lease back until the gap ends. A sender waits for a short gap, unless others need its place. */
function isGapLong(sender: Sender, now: Instant): boolean {
  const leftMs = gapLeftMs(sender, now);
  return leftMs > 0 && (leftMs > sender.rules.options.pollEveryMs || !sender.rules.mayIdle());
}

/** Returns when to look again, if nothing happens before. */
export function nextStepAt(sender: Sender, now: Instant): Instant {
  const nextPollAt = isLow(sender) ? sender.pollAt : sender.seenAt + sender.rules.options.pollEveryMs;
  const gapEndsAt = gapLeftMs(sender, now) > 0 && sender.queue.waiting() > 0 ? sender.gapEndsAt : Infinity;
  const startsAt = mayStart(sender, now) ? Math.min(nextPollAt, gapEndsAt) : Infinity;
  return Math.min(renewalAt(sender, now), sender.recordAt, startsAt);
}

/** Returns when to renew: now if the clock was set back, because the remaining time is then unknown. */
export function renewalAt({ renewAt, leaseAskedAt }: Sender, now: Instant): Instant {
  return now < leaseAskedAt ? now : renewAt;
}

/** Returns the next shared instant if the sender recorded at the previous one. Otherwise returns `Infinity`. */
export function expectedRecordAt({ recordedAt, rules }: Sender, now: Instant): Instant {
  const { settleEveryMs } = rules.options;
  const next = nextSharedInstant(now, settleEveryMs);
  return next - recordedAt <= settleEveryMs && next > now ? next : Infinity;
}
