import type { Endpoint } from '../../domain/endpoint.js';
import type { KeyId } from '../../domain/ids.js';
import { type Instant, SECOND_MS } from '../../domain/time.js';
import type { LeasedEndpoint } from '../../ports/repositories/endpoints.js';
import { SecretsUnreadable } from '../attempt.js';
import type { TakenLease } from './held-lease.js';
import { settleWithRetry } from './record.js';
import {
  createSenderState,
  isDone,
  isLow,
  isPollDue,
  maySend,
  nextStepAt,
  type SenderContext,
  type SenderState,
} from './sender-state.js';
import { createSending, type Sending } from './sending.js';

export interface EndpointSender {
  readonly keyId: KeyId;
  wake(isOnlyEvents: boolean): void;
  /** Returns whether the lease may have expired, for example while the process was suspended. */
  isOverdue(now: Instant): boolean;
  endIfIdle(): void;
  close(): void;
  /**
   * Records the ended attempts, releases the lease and ends the sender. The attempts in flight are not counted, and are
   * due again.
   */
  cut(): void;
  /**
   * Ends the sender without recording anything. The attempts in flight are repeated when the lease expires.
   */
  abandon(): void;
  readonly ended: Promise<SenderEnd>;
}

export interface SenderEnd {
  readonly isWoken: boolean;
  readonly isUnrecorded: boolean;
  readonly cooldownMs: number;
}

export function openSender(
  context: SenderContext,
  leased: LeasedEndpoint,
  taken: TakenLease,
): EndpointSender {
  const sender = createSenderState(context, leased, taken);
  const { keyId, held, wakeSignal, pollPlan } = sender;
  const { clock } = context.runtime;
  return {
    keyId,
    wake(isOnlyEvents) {
      pollPlan.wake(clock.now(), isOnlyEvents);
      wakeSignal.wake();
    },
    isOverdue: (now) => !sender.isUnrecorded && !held.isSafe(now),
    endIfIdle: wakeSignal.wake,
    close() {
      sender.isClosing = true;
      wakeSignal.wake();
    },
    cut() {
      sender.isClosing = true;
      sender.isCut = true;
      wakeSignal.wake();
    },
    abandon() {
      held.lose();
      wakeSignal.wake();
    },
    ended: runSender(sender, openSending(sender)),
  };
}

function openSending(sender: SenderState): Sending {
  const { context, backlog, endpoint, held, recordPlan } = sender;
  const { clock } = context.runtime;
  return createSending({
    backlog,
    endpoint,
    semaphore: context.semaphore,
    holder: held,
    ports: context.ports,
    runtime: context.runtime,
    maxInFlight: context.options.maxInFlightPerEndpoint,
    maySend: (now) => maySend(sender, now),
    onEnd: () => recordPlan.plan(clock.now(), endpoint.current().state.kind !== 'active'),
    onFailure: (err) => suspend(sender, err),
    onChange: (now) => wakeIfDue(sender, now),
  });
}

/** Wakes the sender only when needed, because cancelling a timer costs more than signing a request. */
function wakeIfDue(sender: SenderState, now: Instant): void {
  reportIdle(sender);
  if (isPollDue(sender, now) || isDone(sender, now) || nextStepAt(sender, now) < sender.wakesAt)
    sender.wakeSignal.wake();
}

async function runSender(sender: SenderState, sending: Sending): Promise<SenderEnd> {
  const { held, pollPlan, context } = sender;
  const { clock } = context.runtime;
  while (!held.isLost() && !isDone(sender, clock.now())) {
    try {
      await step(sender, sending);
    } catch (err) {
      suspend(sender, err);
    }
  }
  sender.isClosing = true;
  if (!held.isLost()) await recordEnded(sender, true);
  sender.isOver = true;
  reportIdle(sender);
  return { isWoken: pollPlan.isWoken(), isUnrecorded: sender.isUnrecorded, cooldownMs: sender.cooldownMs };
}

async function step(sender: SenderState, sending: Sending): Promise<void> {
  const { clock } = sender.context.runtime;
  await sender.held.renewIfDue();
  if (isPollDue(sender, clock.now())) await pollAgain(sender);
  sending.launch();
  const now = clock.now();
  if (isDone(sender, now)) return;
  if (sender.recordPlan.isDue(now)) return recordEnded(sender, false);
  reportIdle(sender);
  await waitForStep(sender, now);
}

const NO_EVENTS = { after: Number.MAX_SAFE_INTEGER, logLimit: 0, dueLimit: 0 } as const;

async function pollAgain(sender: SenderState): Promise<void> {
  const { context, keyId, backlog, pollPlan } = sender;
  const now = context.runtime.clock.now();
  if (!isLow(sender)) return applyStored(sender, (await context.poll({ keyId, ...NO_EVENTS })).endpoint);
  const batch = await backlog.read(pollPlan.begin(now));
  applyStored(sender, batch.endpoint);
  sender.sliceBeganAt ??= sender.seenAt;
  if (batch.endpoint === null) return;
  batch.add(context.storageClock.now());
  pollPlan.ended(sender.seenAt, batch.isFull);
}

/**
 * Applies the stored endpoint. A paused sender ends, because deliveries may be cancelled before the endpoint
 * resumes.
 */
function applyStored(sender: SenderState, stored: Endpoint | null): void {
  sender.seenAt = sender.context.runtime.clock.now();
  if (stored === null || stored.state.kind !== 'active') sender.isClosing = true;
  if (stored !== null) sender.endpoint.seen(stored, sender.backlog.ended());
}

async function waitForStep(sender: SenderState, now: Instant): Promise<void> {
  const { backlog, recordPlan, wakeSignal } = sender;
  const nextAt = nextStepAt(sender, now);
  sender.wakesAt = backlog.inFlight() > 0 ? Math.min(nextAt, recordPlan.expectedAt(now)) : nextAt;
  const waitMs = sender.wakesAt - now;
  if (waitMs > 0) await wakeSignal.wait(waitMs);
  sender.wakesAt = -Infinity;
}

/** Records the ended attempts. With `release`, the same commit also gives the lease back. */
async function recordEnded(sender: SenderState, release: boolean): Promise<void> {
  const { context, keyId, backlog, held, recordPlan } = sender;
  const { runtime, logger } = context;
  recordPlan.clear();
  const report = backlog.report();
  const settlement = { keyId, token: held.token, release, ...report };
  const settled = await settleWithRetry(context.settle, settlement, {
    clock: runtime.clock,
    random: runtime.random,
    lease: held,
    onFailure(err) {
      sender.isUnrecorded = true;
      logger.error({ err, keyId }, 'Attempts could not be recorded; the worker tries again.');
    },
    onBusy() {
      sender.isUnrecorded = true;
    },
  });
  if (settled === null || settled.kind === 'lost') return held.lose();
  sender.isUnrecorded = false;
  backlog.settled(report, settled.passed);
  applyStored(sender, settled.endpoint);
}

const FAILURE_COOLDOWN_MS = 5 * SECOND_MS;

/** Suspends the sender. Concurrent attempts fail for the same cause, so only the first failure is logged. */
function suspend(sender: SenderState, err: unknown): void {
  if (sender.cooldownMs > 0) return;
  const { keyId, context } = sender;
  const cooldownMs =
    err instanceof SecretsUnreadable ? context.options.unreadableRestMs : FAILURE_COOLDOWN_MS;
  sender.cooldownMs = cooldownMs;
  context.logger.error(
    { err, keyId, cooldownMs },
    'Events cannot be sent to this endpoint now; the worker tries again after `cooldownMs`. No attempt was counted.',
  );
}

/** Reports immediately whether the sender is idle, because an idle sender makes room for another lease. */
function reportIdle(sender: SenderState): void {
  const isIdle = !sender.isOver && sender.backlog.waiting() === 0 && sender.backlog.inFlight() === 0;
  if (isIdle !== sender.isIdle) sender.context.onIdle(isIdle);
  sender.isIdle = isIdle;
}
