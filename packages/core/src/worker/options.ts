import { DAY_MS, MINUTE_MS, SECOND_MS } from '../domain/time.js';

/** The options of a worker. The defaults suit a small deployment. */
export interface WorkerOptions {
  /** The most concurrent attempts over all endpoints. */
  readonly maxInFlight: number;
  /** The most concurrent attempts to one endpoint, over all processes. */
  readonly maxInFlightPerEndpoint: number;
  /** How long a lease on an endpoint lasts unless it is renewed, in milliseconds. */
  readonly leaseMs: number;
  /** How long an ended attempt may wait until it is recorded, in milliseconds. */
  readonly settleEveryMs: number;
  /** How often to poll for work without being woken, in milliseconds. */
  readonly pollEveryMs: number;
  /** Events or due deliveries per read. */
  readonly readBatch: number;
  /** How long an endpoint may keep others waiting when the worker is full, in milliseconds. */
  readonly turnMs: number;
  /** How long not to send to an endpoint whose secrets cannot be decrypted, in milliseconds. */
  readonly unreadableRestMs: number;
  /** How long to keep events and deliveries after they are done, in milliseconds. */
  readonly deliveredEventsMs: number;
  /** How often to delete expired rows, in milliseconds. */
  readonly sweepEveryMs: number;
  /** The most rows that one deleting statement removes. */
  readonly sweepBatch: number;
  /** The most concurrent résumé downloads. */
  readonly resumeConcurrency: number;
  /** How long `stop` waits for work in progress, in milliseconds. */
  readonly stopWithinMs: number;
}

/** The defaults, each with its reason. */
export const WORKER_DEFAULTS: WorkerOptions = {
  // Fits the sockets and memory of a small machine, and lets 16 endpoints run at full speed.
  maxInFlight: 64,
  // A small or restarting receiver can handle it.
  maxInFlightPerEndpoint: 4,
  // Three times the longest attempt, 30 s: a live worker never loses a lease by being slow.
  leaseMs: 90 * SECOND_MS,
  // A crash repeats unrecorded attempts: a tenth of a second keeps them few and batches large.
  settleEveryMs: 100,
  // Bounds the delay when another process recorded the event; otherwise the worker is woken.
  pollEveryMs: SECOND_MS,
  // Some hundred kilobytes of bodies, and one read for many attempts.
  readBatch: 64,
  // Long enough to reduce a backlog, short enough for a hundred busy endpoints.
  turnMs: 10 * SECOND_MS,
  // An operator must fix it. One try a minute costs nothing and needs no restart.
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
