import type { Batcher } from '../../batcher.js';
import { isPromise } from '../../domain/any-realm.js';
import type { AttemptEnd, StoredDelivery } from '../../domain/delivery.js';
import type { KeyId } from '../../domain/ids.js';
import { type Instant, SECOND_MS } from '../../domain/time.js';
import type { Lease } from '../../ports/repositories/claims.js';
import type {
  Holding,
  LeasedEndpoint,
  LeaseState,
  PollRequest,
  PollResult,
} from '../../ports/repositories/endpoints.js';
import type { Runtime } from '../../ports/runtime.js';
import type { Logger } from '../../ports/telemetry.js';
import type { StorageClock } from '../../storage-clock.js';
import { type AttemptPorts, attempt, openSigners, SecretsUnreadable } from '../attempt.js';
import type { FairSemaphore } from '../fair-semaphore.js';
import { createWakeSignal, type WakeSignal } from '../loop.js';
import type { Settle } from '../settle.js';
import {
  canLaunch,
  expectedRecordAt,
  gapLeftMs,
  isDone,
  isLeaseSafe,
  isLow,
  isPollDue,
  isRecordDue,
  nextStepAt,
  renewalAt,
} from './next-step.js';
import { settleWithRetry } from './record.js';
import type { QueuedDelivery } from './send-queue.js';
import {
  advance,
  applyStored,
  beginPoll,
  beginRecord,
  beginRenewal,
  coolDown,
  createSenderState,
  endAttempt,
  endPoll,
  endRecord,
  endRenewal,
  expectPermit,
  failRecord,
  isLost,
  noteIdle,
  type Sender,
  type SenderRules,
  type TakenLease,
  waitUntil,
  wakePoll,
} from './sender-state.js';

export interface SenderContext extends SenderRules {
  readonly poll: Batcher<PollRequest, PollResult>;
  readonly renew: Batcher<Holding & Lease, LeaseState>;
  readonly settle: Settle;
  readonly semaphore: FairSemaphore;
  readonly ports: AttemptPorts;
  /** Its clock measures durations. */
  readonly runtime: Runtime;
  readonly storageClock: StorageClock;
  readonly logger: Logger;
  /** The deployment of the process. */
  readonly deployment?: string | undefined;
  onIdle(isIdle: boolean): void;
  countAttempt(delivery: StoredDelivery, end: AttemptEnd): void;
}

export interface EndpointSender {
  readonly keyId: KeyId;
  wake(isOnlyEvents: boolean): void;
  /** Returns whether the lease may have expired, for example while the process was suspended. */
  isOverdue(now: Instant): boolean;
  /** Returns whether nothing can be sent to the endpoint for a while. The sender then gives its lease back. */
  isCoolingDown(): boolean;
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

export type SenderEnd = Pick<Sender, 'isWoken' | 'isUnrecorded' | 'cooldownMs'>;

/** Polls, sends and records the events of one endpoint, as its state says. */
interface Sending {
  readonly context: SenderContext;
  readonly sender: Sender;
  readonly wakeSignal: WakeSignal;
  readonly onPermit: () => void;
}

export function openSender(
  context: SenderContext,
  leased: LeasedEndpoint,
  taken: TakenLease,
): EndpointSender {
  const { clock } = context.runtime;
  const sender = createSenderState(context, leased, taken, clock.now());
  const wakeSignal = createWakeSignal(clock);
  const sending: Sending = { context, sender, wakeSignal, onPermit: () => usePermit(sending) };
  const wakeAfter = (step: 'close' | 'cut' | 'lose') => () => {
    advance(sender, step);
    wakeSignal.wake();
  };
  return {
    keyId: sender.keyId,
    wake(isOnlyEvents) {
      wakePoll(sender, clock.now(), isOnlyEvents);
      wakeSignal.wake();
    },
    isOverdue: (now) => !sender.isUnrecorded && !isLeaseSafe(sender, now),
    isCoolingDown: () => sender.cooldownMs > 0,
    endIfIdle: wakeSignal.wake,
    close: wakeAfter('close'),
    cut: wakeAfter('cut'),
    abandon: wakeAfter('lose'),
    ended: run(sending),
  };
}

async function run(sending: Sending): Promise<SenderEnd> {
  const { sender, context } = sending;
  const { clock } = context.runtime;
  while (!isLost(sender) && !isDone(sender, clock.now())) {
    try {
      await takeStep(sending);
    } catch (err) {
      suspend(sending, err);
    }
  }
  advance(sender, 'done');
  if (!isLost(sender)) await recordEnded(sending, true);
  advance(sender, 'end');
  reportIdle(sending);
  const { isWoken, isUnrecorded, cooldownMs } = sender;
  return { isWoken, isUnrecorded, cooldownMs };
}

async function takeStep(sending: Sending): Promise<void> {
  const { sender, context } = sending;
  const { clock } = context.runtime;
  await renewIfDue(sending);
  if (isPollDue(sender, clock.now())) await pollAgain(sending);
  const opening = openSecrets(sending);
  if (isPromise(opening)) await opening;
  launch(sending);
  const now = clock.now();
  if (isDone(sender, now)) return;
  if (isRecordDue(sender, now)) return recordEnded(sending, false);
  reportIdle(sending);
  await waitForStep(sending, now);
}

function leaseOf({ options, deployment }: SenderContext) {
  return { forMs: options.leaseMs, deployment };
}

/** Rejects if the storage fails; a later call tries again. */
async function renewIfDue({ sender, context }: Sending): Promise<void> {
  const now = context.runtime.clock.now();
  if (now < renewalAt(sender, now)) return;
  beginRenewal(sender, now);
  const { keyId, token } = sender;
  endRenewal(sender, await context.renew({ keyId, token, ...leaseOf(context) }));
}

const NO_EVENTS = { after: Number.MAX_SAFE_INTEGER, logLimit: 0, dueLimit: 0 } as const;

async function pollAgain({ sender, context }: Sending): Promise<void> {
  const { keyId, queue } = sender;
  const { clock } = context.runtime;
  const now = clock.now();
  if (!isLow(sender)) {
    const { endpoint } = await context.poll({ keyId, ...NO_EVENTS });
    return applyStored(sender, endpoint, clock.now());
  }
  const request = queue.request(beginPoll(sender, now));
  const found = await context.poll(request);
  applyStored(sender, found.endpoint, clock.now());
  if (found.endpoint === null) return;
  endPoll(sender, sender.seenAt, queue.add(request, found));
}

/** Opens the signing secrets without a permit, so that a slow key service holds no other endpoint up. */
function openSecrets({ sender, context }: Sending): unknown {
  if (!canLaunch(sender, context.runtime.clock.now())) return;
  return openSigners(context.ports.secretBox, sender.endpoint, context.storageClock.now());
}

/** Reads the clock for each attempt, because the time slice may end in between. */
function launch({ sender, context, onPermit }: Sending): void {
  const { clock } = context.runtime;
  while (!sender.isPermitRequested && canLaunch(sender, clock.now())) {
    expectPermit(sender, true);
    context.semaphore.request(sender, onPermit);
  }
}

function usePermit(sending: Sending): void {
  const { sender, context } = sending;
  expectPermit(sender, false);
  const now = context.runtime.clock.now();
  const order = sender.endpoint.health.gap === null ? 'by_turns' : 'longest_due';
  const entry = canLaunch(sender, now) ? sender.queue.next(order) : null;
  if (entry === null) context.semaphore.release(sender);
  else void send(sending, entry);
  wakeIfDue(sending, now);
}

async function send(sending: Sending, entry: QueuedDelivery): Promise<void> {
  const { sender, context } = sending;
  const { clock, random } = context.runtime;
  try {
    const { endpoint } = sender;
    const end = await attempt(context.ports, endpoint, entry.event);
    context.countAttempt(entry.delivery, end);
    endAttempt(sender, { entry, end, url: endpoint.url, random: random.fraction() }, clock.now());
  } catch (err) {
    sender.queue.putBack(entry);
    suspend(sending, err);
  }
  context.semaphore.release(sender);
  launch(sending);
  wakeIfDue(sending, clock.now());
}

/** Wakes the sender only when needed, because cancelling a timer costs more than signing a request. */
function wakeIfDue(sending: Sending, now: Instant): void {
  const { sender, wakeSignal } = sending;
  reportIdle(sending);
  if (isPollDue(sender, now) || isDone(sender, now) || nextStepAt(sender, now) < sender.wakesAt)
    wakeSignal.wake();
}

async function waitForStep({ sender, wakeSignal }: Sending, now: Instant): Promise<void> {
  const nextAt = nextStepAt(sender, now);
  const isAnyInFlight = sender.queue.inFlight() > 0;
  waitUntil(sender, isAnyInFlight ? Math.min(nextAt, expectedRecordAt(sender, now)) : nextAt);
  const waitMs = sender.wakesAt - now;
  if (waitMs > 0) await wakeSignal.wait(waitMs);
  waitUntil(sender, -Infinity);
}

/** Records the ended attempts. With `release`, the same commit also gives the lease back. */
async function recordEnded({ sender, context }: Sending, release: boolean): Promise<void> {
  const { runtime, logger } = context;
  const settlement = beginRecord(sender, release);
  const settled = await settleWithRetry(context.settle, settlement, {
    runtime,
    sender,
    onFailure(err) {
      failRecord(sender);
      const { keyId } = sender;
      logger.error({ err, keyId }, 'Attempts could not be recorded; the worker tries again.');
    },
    onBusy: () => failRecord(sender),
  });
  endRecord(sender, settlement, settled, runtime.clock.now());
}

const FAILURE_COOLDOWN_MS = 5 * SECOND_MS;

/** Suspends the sender. Concurrent attempts fail for the same cause, so only the first failure is logged. */
function suspend({ sender, context }: Sending, err: unknown): void {
  const { keyId } = sender;
  const cooldownMs =
    err instanceof SecretsUnreadable ? context.options.unreadableRestMs : FAILURE_COOLDOWN_MS;
  if (!coolDown(sender, cooldownMs)) return;
  context.logger.error(
    { err, keyId, cooldownMs },
    'Events cannot be sent to this endpoint now; the worker tries again after `cooldownMs`. No attempt was counted.',
  );
}

function reportIdle({ sender, context }: Sending): void {
  const leftMs = gapLeftMs(sender, context.runtime.clock.now());
  if (noteIdle(sender, leftMs)) context.onIdle(sender.isIdle);
}
