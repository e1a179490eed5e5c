import { DAY_MS, MINUTE_MS, SECOND_MS } from '../domain/time.js';

/** The options of a worker. */
export interface WorkerOptions {
  /** The most attempts at once in this process, over all endpoints; default: 64. */
  readonly maxInFlight: number;
  /** The most attempts at one endpoint at once, over all processes; default: 4. */
  readonly maxInFlightPerEndpoint: number;
  /** How long a lease lasts, in milliseconds; default: 90,000. A live worker renews it. */
  readonly leaseMs: number;
  /** How long the outcome of an attempt may stay unrecorded, in milliseconds; default: 100. */
  readonly settleEveryMs: number;
  /** How long a worker waits between two polls while there is work, in milliseconds; default: 1,000. */
  readonly pollEveryMs: number;
  /**
   * The longest sleep of an idle worker, in milliseconds, at most 12 hours; null, the default: one hour with a
   * listener, otherwise `pollEveryMs`. The worker sleeps until the next work is due, or until a request or command of
   * the same process wakes it. A listener must report all work of other processes.
   */
  readonly idlePollMs: number | null;
  /** How many events of an endpoint one read returns; default: 64. */
  readonly readBatch: number;
  /** How long an endpoint may send while others wait, in milliseconds; default: 10,000. */
  readonly turnMs: number;
  /** How long an endpoint is left alone if its secrets cannot be decrypted, in milliseconds; default: one minute. */
  readonly unreadableRestMs: number;
  /** How long to keep delivered events and ended operations, in milliseconds; default: 30 days. */
  readonly deliveredEventsMs: number;
  /** How long to wait between two sweeps of expired rows, in milliseconds; default: one minute. */
  readonly sweepEveryMs: number;
  /** How many expired rows one transaction deletes; default: 500. */
  readonly sweepBatch: number;
  /** The most downloads of résumés at once in this process; default: 4. */
  readonly resumeConcurrency: number;
  /** How long `stop` waits for the work in progress, in milliseconds; default: 40,000. */
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
