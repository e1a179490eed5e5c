import { isSuccess } from '../../domain/delivery.js';
import {
  endpointAfter,
  endpointAfterEach,
  isUntriedSinceResume,
  type StoredEndpoint,
} from '../../domain/endpoint.js';
import { withKnownSecrets } from '../../domain/endpoint-secrets.js';
import type { KeyId } from '../../domain/ids.js';
import { type Instant, isReached, SECOND_MS } from '../../domain/time.js';
import type { LeasedEndpoint, LeaseState } from '../../ports/repositories/endpoints.js';
import type { StorageClock } from '../../storage-clock.js';
import type { WorkerOptions } from '../options.js';
import { concerns, type Settled, type Settlement } from '../settle.js';
import { createSendQueue, type MadeAttempt, type SendQueue } from './send-queue.js';
import { SENDER_PHASES, type SenderPhase, type SenderStep } from './sender-phases.js';

export interface TakenLease {
  readonly token: string;
  /**
   * The local time, read before the lease was requested. The lease therefore never ends earlier than
   * calculated from this instant.
   */
  readonly askedAt: Instant;
}

export interface SenderRules {
  readonly options: WorkerOptions;
  /** Gives the time of everything that is stored, such as the end of a gap. */
  readonly storageClock: Pick<StorageClock, 'now'>;
  /** Returns whether an idle sender may stay open until it records its attempts. */
  mayIdle(): boolean;
  isSliceOver(beganAt: Instant, now: Instant): boolean;
}

/** Only the functions of this file change it. Instants are by the process's clock. `Infinity` stands for never. */
export interface SenderState {
  readonly rules: SenderRules;
  readonly keyId: KeyId;
  readonly token: string;
  readonly queue: SendQueue;
  phase: SenderPhase;
  /** The stored endpoint, after the attempts that are not recorded yet. */
  endpoint: StoredEndpoint;
  /** When the stored endpoint was read. */
  seenAt: Instant;
  /** When the gap between two attempts ends. `-Infinity` without a gap. */
  gapEndsAt: Instant;
  /** How many attempts may be in flight. Starts at one behind a gap or a pause, and doubles with each success. */
  width: number;
  leaseUntil: Instant;
  renewAt: Instant;
  leaseAskedAt: Instant;
  /** Null until somebody asks for it, because abort signals are slow to create. */
  lost: AbortController | null;
  pollAt: Instant;
  /** The next poll for due deliveries. A wake for new events alone does not change it. */
  pollDueAt: Instant;
  polledAt: Instant;
  isPollForDue: boolean;
  isWoken: boolean;
  recordAt: Instant;
  recordedAt: Instant;
  /** A record failed and was not repeated yet. */
  isUnrecorded: boolean;
  /** When the time slice began. Null until the first poll, because that poll must not use up the slice. */
  sliceBeganAt: Instant | null;
  /** How long to leave the endpoint alone after the sender has ended, in milliseconds. */
  cooldownMs: number;
  isPermitRequested: boolean;
  /** Nothing is in flight, and nothing waits but for a gap. */
  isIdle: boolean;
  /** When the sender's wait ends. An attempt that ends wakes the sender only if something is due before. */
  wakesAt: Instant;
}

export type Sender = Readonly<SenderState>;

const READ_AHEAD = 4;

export function createSenderState(
  rules: SenderRules,
  { endpoint, watermark }: LeasedEndpoint,
  { token, askedAt }: TakenLease,
  now: Instant,
): Sender {
  const { leaseMs, readBatch, maxInFlightPerEndpoint } = rules.options;
  const { keyId } = endpoint;
  const few = READ_AHEAD * maxInFlightPerEndpoint;
  const isCareful = endpoint.health.gap !== null || isUntriedSinceResume(endpoint);
  return {
    rules,
    keyId,
    token,
    queue: createSendQueue(
      endpoint,
      watermark,
      endpoint.health.gap === null ? Math.max(readBatch, few) : few,
    ),
    phase: 'open',
    endpoint,
    seenAt: now,
    gapEndsAt: -Infinity,
    width: isCareful ? 1 : maxInFlightPerEndpoint,
    leaseUntil: askedAt + leaseMs,
    renewAt: askedAt + leaseMs / 3,
    leaseAskedAt: askedAt,
    lost: null,
    pollAt: now,
    pollDueAt: now,
    polledAt: -Infinity,
    isPollForDue: false,
    isWoken: false,
    recordAt: Infinity,
    recordedAt: -Infinity,
    isUnrecorded: false,
    sliceBeganAt: null,
    cooldownMs: 0,
    isPermitRequested: false,
    isIdle: false,
    wakesAt: -Infinity,
  };
}

export function advance(sender: SenderState, step: SenderStep): void {
  sender.phase = SENDER_PHASES[sender.phase][step] ?? sender.phase;
  if (step === 'lose') sender.lost?.abort();
}

export function isLost({ phase }: Sender): boolean {
  return phase === 'lost';
}

/** Returns a signal that aborts when the lease is lost. */
export function lostSignal(sender: SenderState): AbortSignal {
  sender.lost ??= new AbortController();
  if (isLost(sender)) sender.lost.abort();
  return sender.lost.signal;
}

/** The pause after a failed renewal. Many tries fit into the remaining two thirds of the lease. */
const RENEW_AGAIN_MS = 2 * SECOND_MS;

export function beginRenewal(sender: SenderState, now: Instant): void {
  sender.leaseAskedAt = now;
  sender.renewAt = now + RENEW_AGAIN_MS;
}

export function endRenewal(sender: SenderState, state: LeaseState): void {
  const { leaseMs } = sender.rules.options;
  if (state === 'lost') advance(sender, 'lose');
  if (state !== 'held') return;
  sender.leaseUntil = sender.leaseAskedAt + leaseMs;
  sender.renewAt = sender.leaseAskedAt + leaseMs / 3;
}

/** The shortest time between two polls, so that many commits cause one poll. */
const WAKE_DEBOUNCE_MS = 5;

export function wakePoll(sender: SenderState, now: Instant, isOnlyEvents: boolean): void {
  sender.isWoken = true;
  sender.pollAt = Math.min(sender.pollAt, Math.max(now, sender.polledAt + WAKE_DEBOUNCE_MS));
  if (!isOnlyEvents) sender.pollDueAt = Math.min(sender.pollDueAt, now);
}

/** Returns whether the poll also reads due deliveries. */
export function beginPoll(sender: SenderState, now: Instant): boolean {
  const { pollEveryMs } = sender.rules.options;
  sender.isWoken = false;
  sender.polledAt = now;
  sender.isPollForDue = isReached(now, sender.pollDueAt, pollEveryMs);
  if (sender.isPollForDue) sender.pollDueAt = now + pollEveryMs;
  sender.pollAt = sender.pollDueAt;
  return sender.isPollForDue;
}

/**
 * Plans the next poll. After a full poll, it is due immediately. Otherwise the interval starts when the
 * poll ends, however slow it was.
 */
export function endPoll(sender: SenderState, now: Instant, isFull: boolean): void {
  sender.sliceBeganAt ??= now;
  if (isFull) sender.pollDueAt = now;
  else if (sender.isPollForDue && !sender.isWoken) sender.pollDueAt = now + sender.rules.options.pollEveryMs;
  else return;
  sender.pollAt = sender.pollDueAt;
}

/** Applies the stored endpoint. A paused one closes the sender, because deliveries may be cancelled meanwhile. */
export function applyStored(sender: SenderState, stored: StoredEndpoint | null, now: Instant): void {
  sender.seenAt = now;
  if (stored?.state.kind !== 'active') advance(sender, 'close');
  if (stored === null) return;
  const known = withKnownSecrets(stored, sender.endpoint);
  const unrecorded = sender.queue.ended().filter((attempt) => concerns(known, attempt));
  replaceEndpoint(sender, endpointAfterEach(known, unrecorded), now);
}

function replaceEndpoint(sender: SenderState, endpoint: StoredEndpoint, now: Instant): void {
  const { gap } = endpoint.health;
  sender.endpoint = endpoint;
  if (gap === null) {
    sender.gapEndsAt = -Infinity;
    return;
  }
  sender.width = 1;
  sender.gapEndsAt = now + gap.until - sender.rules.storageClock.now();
}

/** Applies the end of an attempt at once, because it may pause the endpoint, and plans its record. */
export function endAttempt(sender: SenderState, made: MadeAttempt, now: Instant): void {
  const ended = sender.queue.end(made);
  const isBehindGap = sender.endpoint.health.gap !== null;
  if (concerns(sender.endpoint, ended)) replaceEndpoint(sender, endpointAfter(sender.endpoint, ended), now);
  if (!isBehindGap && isSuccess(ended.outcome)) {
    sender.width = Math.min(2 * sender.width, sender.rules.options.maxInFlightPerEndpoint);
  }
  if (sender.endpoint.state.kind !== 'active') sender.recordAt = now;
  else if (sender.recordAt === Infinity)
    sender.recordAt = nextSharedInstant(now, sender.rules.options.settleEveryMs);
}

/** All senders record at the same instants, in one transaction. */
export function nextSharedInstant(now: Instant, everyMs: number): Instant {
  return everyMs <= 0 ? now : (Math.floor(now / everyMs) + 1) * everyMs;
}

/** Returns what to record: the attempts that ended. */
export function beginRecord(sender: SenderState, release: boolean): Settlement {
  if (sender.recordAt !== Infinity) sender.recordedAt = sender.recordAt;
  sender.recordAt = Infinity;
  const { keyId, token, queue } = sender;
  const { ended, unfinished } = queue.report();
  return { keyId, token, release, ended, unfinished };
}

export function failRecord(sender: SenderState): void {
  sender.isUnrecorded = true;
}

/** @param settled - null if the record was given up. */
export function endRecord(
  sender: SenderState,
  report: Settlement,
  settled: Exclude<Settled, { kind: 'busy' }> | null,
  now: Instant,
): void {
  if (settled === null || settled.kind === 'lost') {
    advance(sender, 'lose');
  } else {
    sender.isUnrecorded = false;
    sender.queue.settled(report, settled.passed);
    applyStored(sender, settled.endpoint, now);
  }
}

/** Closes the sender for a while. Returns false if that was done before. */
export function coolDown(sender: SenderState, cooldownMs: number): boolean {
  if (sender.cooldownMs > 0) return false;
  sender.cooldownMs = cooldownMs;
  advance(sender, 'close');
  return true;
}

export function expectPermit(sender: SenderState, isRequested: boolean): void {
  sender.isPermitRequested = isRequested;
}

/** Notes whether the sender is idle, which one is that waits for a gap. Returns whether that changed. */
export function noteIdle(sender: SenderState, gapLeftMs: number): boolean {
  const { phase, queue, isIdle: wasIdle } = sender;
  const isWaiting = queue.waiting() > 0 && gapLeftMs === 0;
  sender.isIdle = phase !== 'ended' && !isWaiting && queue.inFlight() === 0;
  return sender.isIdle !== wasIdle;
}

export function waitUntil(sender: SenderState, at: Instant): void {
  sender.wakesAt = at;
}
