import { DAY_MS, MINUTE_MS, SECOND_MS } from '../domain/time.js';

/** The options of a worker. The defaults suit a small deployment. */
export interface WorkerOptions {
  /** The most concurrent attempts over all endpoints. */
  readonly maxInFlight: number;
  /** The most concurrent attempts to one endpoint, over all processes. */
  readonly maxInFlightPerEndpoint: number;
  /** How long a lease lasts unless renewed, in milliseconds. */
  readonly leaseMs: number;
  /** How long an ended attempt may stay unrecorded, in milliseconds. */
  readonly settleEveryMs: number;
  /** The polling interval, in milliseconds. */
  readonly pollEveryMs: number;
  /** Events or due deliveries per read. */
  readonly readBatch: number;
  /** How long an endpoint may keep others waiting, in milliseconds. */
  readonly turnMs: number;
  /** The cooldown of an endpoint with unreadable secrets, in milliseconds. */
  readonly unreadableRestMs: number;
  /** How long to keep delivered events, in milliseconds. */
  readonly deliveredEventsMs: number;
  /** How often to delete expired rows, in milliseconds. */
  readonly sweepEveryMs: number;
  /** The most rows per deleting statement. */
  readonly sweepBatch: number;
  /** The most concurrent résumé downloads. */
  readonly resumeConcurrency: number;
  /** How long `stop` waits for work in progress, in milliseconds. */
  readonly stopWithinMs: number;
}

/** The defaults, each with its reason. */
export const WORKER_DEFAULTS: WorkerOptions = {
  // Fits a small machine; 16 endpoints run at full speed.
  maxInFlight: 64,
  // Small receivers can handle it.
  maxInFlightPerEndpoint: 4,
  // Three times the longest attempt: a live worker never loses a lease.
  leaseMs: 90 * SECOND_MS,
  // A crash repeats unrecorded attempts; longer makes larger batches.
  settleEveryMs: 100,
  // Bounds the delay of events from other processes.
  pollEveryMs: SECOND_MS,
  // Some hundred kilobytes per read.
  readBatch: 64,
  // Reduces a backlog, and is fair to a hundred busy endpoints.
  turnMs: 10 * SECOND_MS,
  // One try a minute costs nothing, and needs no restart after a fix.
  unreadableRestMs: MINUTE_MS,
  // Operators ask what was sent last month.
  deliveredEventsMs: 30 * DAY_MS,
  // Keeps each sweep small.
  sweepEveryMs: MINUTE_MS,
  // Keeps the transaction near ten milliseconds.
  sweepBatch: 500,
  // Downloads are large and not urgent.
  resumeConcurrency: 4,
  // The longest attempt and its record.
  stopWithinMs: 40 * SECOND_MS,
};
