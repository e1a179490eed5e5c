import type { KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { LeasedEndpoint } from '../../ports/repositories/endpoints.js';
import type { Runtime } from '../../ports/runtime.js';
import type { Logger } from '../../ports/telemetry.js';
import type { StorageClock } from '../../storage-clock.js';
import type { AttemptPorts } from '../attempt.js';
import type { FairSemaphore } from '../fair-semaphore.js';
import { isReached } from '../is-reached.js';
import { createWakeSignal, type WakeSignal } from '../loop.js';
import type { WorkerOptions } from '../options.js';
import type { Settle } from '../settle.js';
import { type Backlog, createBacklog } from './backlog.js';
import { type HeldLease, holdLease, type Renew, type TakenLease } from './held-lease.js';
import { createPollPlan, type Poll, type PollPlan } from './poll-plan.js';
import { type ProjectedEndpoint, projectEndpoint } from './projected-endpoint.js';
import { createRecordPlan, type RecordPlan } from './record.js';

export interface SenderContext {
  readonly poll: Poll;
  readonly renew: Renew;
  readonly settle: Settle;
  readonly semaphore: FairSemaphore;
  readonly ports: AttemptPorts;
  /** Its clock measures durations. */
  readonly runtime: Runtime;
  /** Gives the time of everything that is stored or sent. */
  readonly storageClock: StorageClock;
  readonly logger: Logger;
  readonly options: WorkerOptions;
  /** Returns whether an idle sender may stay open until it records its attempts. */
  mayIdle(): boolean;
  onIdle(isIdle: boolean): void;
  isSliceOver(beganAt: Instant, now: Instant): boolean;
}

export interface SenderState {
  readonly context: SenderContext;
  readonly keyId: KeyId;
  readonly endpoint: ProjectedEndpoint;
  readonly backlog: Backlog;
  readonly held: HeldLease;
  readonly wakeSignal: WakeSignal;
  readonly recordPlan: RecordPlan;
  readonly pollPlan: PollPlan;
  seenAt: Instant;
  /** When the time slice began. Null until the first poll, because that poll must not use up the slice. */
  sliceBeganAt: Instant | null;
  isClosing: boolean;
  /** Whether the sender ends without waiting for its attempts in flight. */
  isCut: boolean;
  isUnrecorded: boolean;
  cooldownMs: number;
  wakesAt: Instant;
  isIdle: boolean;
  isOver: boolean;
}

export function createSenderState(
  context: SenderContext,
  leased: LeasedEndpoint,
  taken: TakenLease,
): SenderState {
  const { poll, renew, runtime, options } = context;
  const { clock } = runtime;
  const { keyId } = leased.endpoint;
  const startedAt = clock.now();
  return {
    context,
    keyId,
    endpoint: projectEndpoint(leased.endpoint),
    backlog: createBacklog(poll, keyId, leased.watermark, batchOf(options)),
    held: holdLease(renew, clock, options.leaseMs, keyId, taken),
    wakeSignal: createWakeSignal(clock),
    recordPlan: createRecordPlan(options.settleEveryMs),
    pollPlan: createPollPlan(startedAt, options.pollEveryMs),
    seenAt: startedAt,
    sliceBeganAt: null,
    isClosing: false,
    isCut: false,
    isUnrecorded: false,
    cooldownMs: 0,
    wakesAt: -Infinity,
    isIdle: false,
    isOver: false,
  };
}

const READ_AHEAD = 4;

function batchOf({ readBatch, maxInFlightPerEndpoint }: WorkerOptions): number {
  return Math.max(readBatch, READ_AHEAD * maxInFlightPerEndpoint);
}

export function maySend(sender: SenderState, now: Instant): boolean {
  if (sender.isClosing || sender.isUnrecorded || sender.cooldownMs > 0) return false;
  if (sender.endpoint.current().state.kind !== 'active') return false;
  return sender.held.isSafe(now) && !sender.context.isSliceOver(sender.sliceBeganAt ?? now, now);
}

export function isLow({ backlog, context }: SenderState): boolean {
  return backlog.waiting() < context.options.maxInFlightPerEndpoint;
}

export function isPollDue(sender: SenderState, now: Instant): boolean {
  if (!maySend(sender, now)) return false;
  const { pollEveryMs } = sender.context.options;
  if (!isLow(sender)) return isReached(now, sender.seenAt + pollEveryMs, pollEveryMs);
  return sender.pollPlan.isDue(now) || (sender.pollPlan.isWoken() && sender.backlog.inFlight() === 0);
}

export function isDone(sender: SenderState, now: Instant): boolean {
  if (sender.backlog.inFlight() > 0) return sender.isCut;
  if (!maySend(sender, now)) return true;
  return sender.backlog.waiting() === 0 && !isPollDue(sender, now) && !isAwaitingRecord(sender, now);
}

/** Returns whether the sender stays open until its next record. New events then need no new lease. */
function isAwaitingRecord({ recordPlan, context }: SenderState, now: Instant): boolean {
  return recordPlan.isPending(now) && context.mayIdle();
}

export function nextStepAt(sender: SenderState, now: Instant): Instant {
  const nextPollAt = isLow(sender)
    ? sender.pollPlan.at()
    : sender.seenAt + sender.context.options.pollEveryMs;
  return Math.min(
    sender.held.renewAt(now),
    sender.recordPlan.at(),
    maySend(sender, now) ? nextPollAt : Infinity,
  );
}
