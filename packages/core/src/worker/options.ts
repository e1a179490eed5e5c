import { DAY_MS, MINUTE_MS, SECOND_MS } from '../domain/time.js';

/** The options of a worker. */
export interface WorkerOptions {
  /** Over all endpoints. */
  readonly maxInFlight: number;
  /** Over all processes. */
  readonly maxInFlightPerEndpoint: number;
  /** In milliseconds. A live worker renews it. */
  readonly leaseMs: number;
  /** How long an ended attempt may stay unrecorded, in milliseconds. */
  readonly settleEveryMs: number;
  readonly pollEveryMs: number;
  readonly readBatch: number;
  /** How long an endpoint may keep others waiting, in milliseconds. */
  readonly turnMs: number;
  /** The cooldown of an endpoint with unreadable secrets, in milliseconds. */
  readonly unreadableRestMs: number;
  /** How long to keep delivered events, in milliseconds. */
  readonly deliveredEventsMs: number;
  readonly sweepEveryMs: number;
  readonly sweepBatch: number;
  readonly resumeConcurrency: number;
  /** How long `stop` waits, in milliseconds. */
  readonly stopWithinMs: number;
}

export const WORKER_DEFAULTS: WorkerOptions = {
  // Fits a small machine.
  maxInFlight: 64,
  // Small receivers can handle it.
  maxInFlightPerEndpoint: 4,
  // Three times the longest attempt: a live worker never loses a lease.
  leaseMs: 90 * SECOND_MS,
  // A crash repeats unrecorded attempts. A longer time makes larger batches.
  settleEveryMs: 100,
  // Bounds the delay of events from other processes.
  pollEveryMs: SECOND_MS,
  // Some hundred kilobytes per read.
  readBatch: 64,
  // Fair to a hundred busy endpoints.
  turnMs: 10 * SECOND_MS,
  // After a fix, no restart is needed.
  unreadableRestMs: MINUTE_MS,
  // Operators ask about the last month.
  deliveredEventsMs: 30 * DAY_MS,
  sweepEveryMs: MINUTE_MS,
  // Keeps the transaction near ten milliseconds.
  sweepBatch: 500,
  // Downloads are large and not urgent.
  resumeConcurrency: 4,
  // The longest attempt and its record.
  stopWithinMs: 40 * SECOND_MS,
};
