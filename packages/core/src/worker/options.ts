import { DAY_MS, MINUTE_MS, SECOND_MS } from '../domain/time.js';

/** The options of a worker. */
export interface WorkerOptions {
  /** Over all endpoints. */
  readonly maxInFlight: number;
  /** Over all processes. */
  readonly maxInFlightPerEndpoint: number;
  /** How long a lease lasts, in milliseconds. A live worker renews it. */
  readonly leaseMs: number;
  /** How long the outcome of an attempt may stay unrecorded, in milliseconds. */
  readonly settleEveryMs: number;
  /** How long a worker waits between two polls while there is work, in milliseconds. */
  readonly pollEveryMs: number;
  /**
   * The longest sleep of an idle worker, in milliseconds. The worker sleeps until the next work is due, or until a
   * request or command of the same process wakes it. Null, the default: one hour while a listener reports all work of
   * other processes, otherwise `pollEveryMs`.
   */
  readonly idlePollMs: number | null;
  readonly readBatch: number;
  /** How long an endpoint may send while others wait, in milliseconds. */
  readonly turnMs: number;
  /** How long an endpoint is left alone if its secrets cannot be decrypted, in milliseconds. */
  readonly unreadableRestMs: number;
  /** How long to keep delivered events, in milliseconds. */
  readonly deliveredEventsMs: number;
  readonly sweepEveryMs: number;
  readonly sweepBatch: number;
  readonly resumeConcurrency: number;
  /** How long `stop` waits for the work in progress, in milliseconds. */
  readonly stopWithinMs: number;
}

export const WORKER_DEFAULTS: WorkerOptions = {
  // Fits a small machine.
  maxInFlight: 64,
  // Small receivers can handle it.
  maxInFlightPerEndpoint: 4,
  // Three times the longest attempt, so that a live worker never loses a lease.
  leaseMs: 90 * SECOND_MS,
  // After a crash, attempts that were not recorded are repeated. A longer time makes larger batches.
  settleEveryMs: 100,
  // Limits how late events from other processes are found.
  pollEveryMs: SECOND_MS,
  idlePollMs: null,
  // Some hundred kilobytes per read.
  readBatch: 64,
  // Short enough to be fair to a hundred busy endpoints.
  turnMs: 10 * SECOND_MS,
  // Short enough that no restart is needed after the secret is fixed.
  unreadableRestMs: MINUTE_MS,
  // Operators ask about deliveries of the last month.
  deliveredEventsMs: 30 * DAY_MS,
  sweepEveryMs: MINUTE_MS,
  // Small enough that a transaction takes about ten milliseconds.
  sweepBatch: 500,
  // Downloads are large and not urgent.
  resumeConcurrency: 4,
  // Long enough for the longest attempt and its record.
  stopWithinMs: 40 * SECOND_MS,
};
