import type { KeyId } from '../../../domain/ids.js';
import type { Instant } from '../../../domain/time.js';
import type { LeasedEndpoint } from '../../../ports/repositories/endpoints.js';
import { type Bell, createBell } from '../../bell.js';
import type { WorkerOptions } from '../../options.js';
import { type Backlog, createBacklog } from './backlog.js';
import { type ForeseenEndpoint, foreseeEndpoint } from './foreseen-endpoint.js';
import { type HeldLease, holdLease, type TakenLease } from './held-lease.js';
import type { LaneContext } from './lane-context.js';
import { createLookPlan, type LookPlan } from './look-plan.js';
import { createRecordPlan, type RecordPlan } from './record-plan.js';

/** What a lane holds, and how it stands. Its steps are functions over it: many a lane is opened for a single event. */
export interface LaneState {
  readonly context: LaneContext;
  readonly keyId: KeyId;
  readonly endpoint: ForeseenEndpoint;
  readonly backlog: Backlog;
  readonly held: HeldLease;
  readonly bell: Bell;
  readonly toRecord: RecordPlan;
  readonly toLook: LookPlan;
  /** When its endpoint was last seen as it is stored. */
  seenAt: Instant;
  /** Once it is known what there is to send: else a read that takes as long as a turn would leave nothing of it. */
  turnBeganAt: Instant | null;
  isClosing: boolean;
  /** What ended cannot be recorded for now: sending more would only be sent again. */
  isUnrecorded: boolean;
  /** How long to leave the endpoint alone once the lane has ended, in milliseconds; above 0, it is ending. */
  restMs: number;
  /** Until when the loop waits unless the bell rings. */
  wakesAt: Instant;
  isIdle: boolean;
  isOver: boolean;
}

/** A lane that has seen nothing yet but the endpoint that was leased. */
export function createLaneState(context: LaneContext, leased: LeasedEndpoint, taken: TakenLease): LaneState {
  const { look, renew, runtime, options } = context;
  const { clock } = runtime;
  const { keyId } = leased.endpoint;
  const endpoint = foreseeEndpoint(leased.endpoint);
  const backlog = createBacklog(look, keyId, leased.watermark, batchOf(options));
  const held = holdLease(renew, clock, options.leaseMs, keyId, taken);
  const startedAt = clock.now();
  return {
    context,
    keyId,
    endpoint,
    backlog,
    held,
    bell: createBell(clock),
    toRecord: createRecordPlan(options.settleEveryMs),
    toLook: createLookPlan(startedAt, options.pollEveryMs),
    seenAt: startedAt,
    turnBeganAt: null,
    isClosing: false,
    isUnrecorded: false,
    restMs: 0,
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
