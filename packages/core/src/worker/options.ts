import { DAY_MS, MINUTE_MS, SECOND_MS } from '../domain/time.js';

/** How a worker works. Every value has a default that suits a small deployment. */
export interface WorkerOptions {
  /** Attempts under way at once, over all endpoints. */
  readonly maxInFlight: number;
  /** Attempts under way at once to one endpoint; holds across all processes. */
  readonly maxInFlightPerEndpoint: number;
  /** How long a claim on an endpoint lasts unless it is renewed, in milliseconds. */
  readonly leaseMs: number;
  /** How long an ended attempt may wait until it is recorded, in milliseconds. */
  readonly settleEveryMs: number;
  /** How often to look for work that nobody nudged for, in milliseconds. */
  readonly pollEveryMs: number;
  /** Events read from a log, or due deliveries, at a time. */
  readonly readBatch: number;
  /** How long an endpoint may keep others waiting when all places are taken, in milliseconds. */
  readonly turnMs: number;
  /** How long to leave an endpoint alone whose secrets cannot be opened, in milliseconds. */
  readonly unreadableRestMs: number;
  /** How long events and their deliveries are kept once they are done, in milliseconds. */
  readonly deliveredEventsMs: number;
  /** How often to remove what nobody needs any more, in milliseconds. */
  readonly sweepEveryMs: number;
  /** Rows that one sweeping statement removes at most. */
  readonly sweepBatch: number;
  /** Résumés fetched at once. */
  readonly resumeConcurrency: number;
  /** How long `stop` waits for what is under way, in milliseconds. */
  readonly stopWithinMs: number;
}

/** The defaults, each with its reason. */
export const WORKER_DEFAULTS: WorkerOptions = {
  // Sockets and memory of a small machine carry it, and 16 endpoints run at their full pace.
  maxInFlight: 64,
  // A receiver that is restarting or small is not run over by its own backlog.
  maxInFlightPerEndpoint: 4,
  // Outlasts the longest attempt, 30 s, three times: a live worker never loses a claim to slowness.
  leaseMs: 90 * SECOND_MS,
  // A crash sends again what was not recorded yet; a tenth of a second keeps that small, and batches large.
  settleEveryMs: 100,
  // A first attempt is immediate by the nudge; this bounds it when another process recorded the event.
  pollEveryMs: SECOND_MS,
  // Some hundred kilobytes of bodies at most, and one read for many attempts.
  readBatch: 64,
  // Long enough to make headway with a backlog, short enough that a hundred busy endpoints all get on.
  turnMs: 10 * SECOND_MS,
  // An operator must put it right; looking once a minute costs nothing and needs no restart.
  unreadableRestMs: MINUTE_MS,
  // An operator may ask last month what was sent.
  deliveredEventsMs: 30 * DAY_MS,
  // Nothing waits for it; once a minute keeps each sweep small.
  sweepEveryMs: MINUTE_MS,
  // Keeps a sweeping transaction in the order of ten milliseconds.
  sweepBatch: 500,
  // Downloads are large and nobody waits for them.
  resumeConcurrency: 4,
  // The longest attempt and its recording.
  stopWithinMs: 40 * SECOND_MS,
};
