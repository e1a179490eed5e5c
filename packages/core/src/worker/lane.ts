import type { Endpoint } from '../domain/endpoint.js';
import type { KeyId } from '../domain/ids.js';
import { type Instant, SECOND_MS } from '../domain/time.js';
import type { LeasedEndpoint } from '../ports/repositories/endpoints.js';
import type { Runtime } from '../ports/runtime.js';
import type { Logger } from '../ports/telemetry.js';
import type { AttemptPorts } from './attempt.js';
import { createBacklog } from './backlog.js';
import { createBell } from './bell.js';
import { foreseeEndpoint } from './foreseen-endpoint.js';
import { holdLease, type Renew, type TakenLease } from './held-lease.js';
import { isReached } from './is-reached.js';
import type { Look } from './look.js';
import { createLookPlan } from './look-plan.js';
import { SecretsUnreadable } from './open-signers.js';
import type { WorkerOptions } from './options.js';
import { createRecordPlan } from './record-plan.js';
import { createSending } from './sending.js';
import type { Settle } from './settle.js';
import { settlePatiently } from './settle-patiently.js';
import type { Slots } from './slots.js';

/** How a lane ended. */
export interface LaneEnd {
  /** Whether something was committed that the lane did not look at any more. */
  readonly isNudged: boolean;
  /** Whether attempts ended that it could not record: they are made again. */
  readonly isUnrecorded: boolean;
  /** How long to leave the endpoint alone, in milliseconds; 0 after a lane that ended well. */
  readonly restMs: number;
}

/** One leased endpoint at work: it sends what is due, a few at a time, and records what came of it. */
export interface Lane {
  readonly keyId: KeyId;
  /** Something was committed, perhaps nothing but events: look again soon. */
  nudge(isOnlyEvents: boolean): void;
  /** Whether its claim may have run out although it goes on: it was held up or asleep, and renews it next. */
  isLate(now: Instant): boolean;
  /** Somebody waits for it to end: wait for nothing more. */
  hurry(): void;
  /** Begins no further attempt; ends once those under way are recorded. */
  close(): void;
  /** Ends at once and records nothing more. What was under way is sent again once the lease ran out. */
  abandon(): void;
  /** Never rejects. */
  readonly ended: Promise<LaneEnd>;
}

/** What all lanes of a worker share. */
export interface LaneContext {
  readonly look: Look;
  readonly renew: Renew;
  readonly settle: Settle;
  readonly slots: Slots;
  readonly ports: AttemptPorts;
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly options: WorkerOptions;
  /** Whether a lane with nothing left to send may wait for more until it has to record. */
  mayLinger(): boolean;
  /** A lane has nothing left to send, and lingers; or no longer. */
  onLingering(isLingering: boolean): void;
  /** Whether a lane whose turn began at that instant must let others have theirs. */
  isTurnOver(beganAt: Instant, now: Instant): boolean;
}

/** The pause after an unexpected failure of one lane: the storage may be back by then. */
const BROKEN_REST_MS = 5 * SECOND_MS;

/** A read brings this many times what may be under way: with less, a fast endpoint is read for again and again. */
const READ_AHEAD = 4;

function batchOf({ readBatch, maxInFlightPerEndpoint }: WorkerOptions): number {
  return Math.max(readBatch, READ_AHEAD * maxInFlightPerEndpoint);
}

/** To see only the endpoint: while a lane can send no more, an operator may pause it, or change its URL. */
const NOTHING_MORE = { after: Number.MAX_SAFE_INTEGER, logLimit: 0, dueLimit: 0 } as const;

/** Opens the lane of an endpoint that was just leased. */
export function openLane(context: LaneContext, leased: LeasedEndpoint, taken: TakenLease): Lane {
  const { look: lookAll, renew, slots, ports, runtime, logger, options } = context;
  const { clock } = runtime;
  const maxInFlight = options.maxInFlightPerEndpoint;
  const { keyId } = leased.endpoint;
  const endpoint = foreseeEndpoint(leased.endpoint);
  const backlog = createBacklog(lookAll, keyId, leased.watermark, batchOf(options));
  const held = holdLease(renew, clock, options.leaseMs, keyId, taken);
  const bell = createBell(clock);
  const toRecord = createRecordPlan(options.settleEveryMs);
  const startedAt = clock.now();
  const toLook = createLookPlan(startedAt, options.pollEveryMs);
  const { launch } = createSending({
    backlog,
    endpoint,
    slots,
    holder: held,
    ports,
    runtime,
    maxInFlight,
    maySend,
    onEnd: ({ endedAt }) => toRecord.plan(endedAt, endpoint.current().state.kind !== 'active'),
    onBreak: breakOff,
    onChange,
  });

  let seenAt = startedAt;
  /** Once it is known what there is to send: else a read that takes as long as a turn would leave nothing of it. */
  let turnBeganAt: Instant | null = null;
  let isClosing = false;
  /** What ended cannot be recorded for now: sending more would only be sent again. */
  let isUnrecorded = false;
  let restMs = 0;
  /** Until when the loop waits unless the bell rings. */
  let wakesAt = -Infinity;
  let isIdle = false;
  let isOver = false;

  function maySend(now: Instant): boolean {
    if (isClosing || isUnrecorded || restMs > 0 || endpoint.current().state.kind !== 'active') return false;
    return held.isSafe(now) && !context.isTurnOver(turnBeganAt ?? now, now);
  }

  function isLow(): boolean {
    return backlog.waiting() < maxInFlight;
  }

  function isLookDue(now: Instant): boolean {
    if (!maySend(now)) return false;
    if (!isLow()) return isReached(now, seenAt + options.pollEveryMs, options.pollEveryMs);
    return toLook.isDue(now) || (toLook.isNudged() && backlog.inFlight() === 0);
  }

  async function look(): Promise<void> {
    const now = clock.now();
    if (!isLow()) return see((await lookAll({ keyId, ...NOTHING_MORE })).endpoint);
    const reading = await backlog.read(now, toLook.begin(now));
    see(reading.endpoint);
    turnBeganAt ??= seenAt;
    if (reading.endpoint === null) return;
    reading.takeOn();
    toLook.ended(seenAt, reading.isFull);
  }

  /** One that was paused is left: by when it is resumed, what waits here may have been cancelled. */
  function see(stored: Endpoint | null): void {
    seenAt = clock.now();
    if (stored === null || stored.state.kind !== 'active') isClosing = true;
    if (stored !== null) endpoint.seen(stored, backlog.ended());
  }

  /** Rings not for each attempt: a wait that is broken off costs more than signing. */
  function onChange(now: Instant): void {
    noteIdle();
    if (isLookDue(now) || isDone(now) || nextStepAt(now) < wakesAt) bell.ring();
  }

  /** Once for all that are under way: they break off for one cause. */
  function breakOff(err: unknown): void {
    if (restMs > 0) return;
    restMs = err instanceof SecretsUnreadable ? options.unreadableRestMs : BROKEN_REST_MS;
    logger.error({ err, keyId, restMs }, 'Events cannot be sent to this endpoint for now; none was counted.');
  }

  async function record(release: boolean): Promise<void> {
    toRecord.clear();
    const report = backlog.report();
    const settlement = { keyId, token: held.token, release, ...report };
    const settled = await settlePatiently(context.settle, settlement, {
      clock,
      random: runtime.random,
      lease: held,
      onFailure(err) {
        isUnrecorded = true;
        logger.error({ err, keyId }, 'Ended attempts could not be recorded; trying again.');
      },
      onBusy() {
        isUnrecorded = true;
      },
    });
    if (settled === null || settled.kind === 'lost') return held.lose();
    isUnrecorded = false;
    backlog.settled(report, settled.passed);
    see(settled.endpoint);
  }

  function isDone(now: Instant): boolean {
    if (backlog.inFlight() > 0) return false;
    return !maySend(now) || (backlog.waiting() === 0 && !isLookDue(now) && !isLingering(now));
  }

  /** What comes while there is something to record needs no new lease, and is recorded together with it. */
  function isLingering(now: Instant): boolean {
    return toRecord.isPending(now) && context.mayLinger();
  }

  function nextStepAt(now: Instant): Instant {
    const nextLookAt = isLow() ? toLook.at() : seenAt + options.pollEveryMs;
    return Math.min(held.renewAt(now), toRecord.at(), maySend(now) ? nextLookAt : Infinity);
  }

  async function step(): Promise<void> {
    await held.renewIfDue();
    if (isLookDue(clock.now())) await look();
    launch();
    const now = clock.now();
    if (isDone(now)) return;
    if (toRecord.isDue(now)) return record(false);
    noteIdle();
    await waitForStep(now);
  }

  async function waitForStep(now: Instant): Promise<void> {
    wakesAt = nextStepAt(now);
    if (backlog.inFlight() > 0) wakesAt = Math.min(wakesAt, toRecord.expectedAt(now));
    const waitMs = wakesAt - now;
    if (waitMs > 0) await bell.wait(waitMs);
    wakesAt = -Infinity;
  }

  /** At once, not with the next step: until it is known, the lane keeps others from being leased. */
  function noteIdle(): void {
    const isIdleNow = !isOver && backlog.waiting() === 0 && backlog.inFlight() === 0;
    if (isIdleNow !== isIdle) context.onLingering(isIdleNow);
    isIdle = isIdleNow;
  }

  async function run(): Promise<LaneEnd> {
    while (!held.isLost() && !isDone(clock.now())) {
      try {
        await step();
      } catch (err) {
        breakOff(err);
      }
    }
    isClosing = true;
    if (!held.isLost()) await record(true);
    isOver = true;
    noteIdle();
    return { isNudged: toLook.isNudged(), isUnrecorded, restMs };
  }

  return {
    keyId,
    nudge(isOnlyEvents) {
      toLook.nudge(clock.now(), isOnlyEvents);
      bell.ring();
    },
    isLate: (now) => !isUnrecorded && !held.isSafe(now),
    hurry: bell.ring,
    close() {
      isClosing = true;
      bell.ring();
    },
    abandon() {
      held.lose();
      bell.ring();
    },
    ended: run(),
  };
}
