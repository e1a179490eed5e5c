import type { KeyId } from '../../../domain/ids.js';
import type { Instant } from '../../../domain/time.js';
import type { LeasedEndpoint } from '../../../ports/repositories/endpoints.js';
import type { WorkerOptions } from '../../options.js';
import { createWakeSignal, type WakeSignal } from '../../wake-signal.js';
import { type Backlog, createBacklog } from './backlog.js';
import { type HeldLease, holdLease, type TakenLease } from './held-lease.js';
import { createPollPlan, type PollPlan } from './poll-plan.js';
import { type ProjectedEndpoint, projectEndpoint } from './projected-endpoint.js';
import { createRecordPlan, type RecordPlan } from './record-plan.js';
import type { SenderContext } from './sender-context.js';

/** What a lane holds, and how it stands. Its steps are functions over it: many a lane is opened for a single event. */
export interface SenderState {
  readonly context: SenderContext;
  readonly keyId: KeyId;
  readonly endpoint: ProjectedEndpoint;
  readonly backlog: Backlog;
  readonly held: HeldLease;
  readonly wakeSignal: WakeSignal;
  readonly toRecord: RecordPlan;
  readonly pollPlan: PollPlan;
  /** When its endpoint was last seen as it is stored. */
  seenAt: Instant;
  /** Once it is known what there is to send: else a read that takes as long as a turn would leave nothing of it. */
  turnBeganAt: Instant | null;
  isClosing: boolean;
  /** What ended cannot be recorded for now: sending more would only be sent again. */
  isUnrecorded: boolean;
  /** How long to leave the endpoint alone once the lane has ended, in milliseconds; above 0, it is ending. */
  cooldownMs: number;
  /** Until when the loop waits unless the bell rings. */
  wakesAt: Instant;
  isIdle: boolean;
  isOver: boolean;
}

/** A lane that has seen nothing yet but the endpoint that was leased. */
export function createSenderState(
  context: SenderContext,
  leased: LeasedEndpoint,
  taken: TakenLease,
): SenderState {
  const { poll, renew, runtime, options } = context;
  const { clock } = runtime;
  const { keyId } = leased.endpoint;
  const endpoint = projectEndpoint(leased.endpoint);
  const backlog = createBacklog(poll, keyId, leased.watermark, batchOf(options));
  const held = holdLease(renew, clock, options.leaseMs, keyId, taken);
  const startedAt = clock.now();
  return {
    context,
    keyId,
    endpoint,
    backlog,
    held,
    wakeSignal: createWakeSignal(clock),
    toRecord: createRecordPlan(options.settleEveryMs),
    pollPlan: createPollPlan(startedAt, options.pollEveryMs),
    seenAt: startedAt,
    turnBeganAt: null,
    isClosing: false,
    isUnrecorded: false,
    cooldownMs: 0,
    wakesAt: -Infinity,
    isIdle: false,
    isOver: false,
  };
}

/** A read brings this many times what may be under way: with less, a fast endpoint is read for again and again. */
const READ_AHEAD = 4;

function batchOf({ readBatch, maxInFlightPerEndpoint }: WorkerOptions): number {
  return Math.max(readBatch, READ_AHEAD * maxInFlightPerEndpoint);
}
