import type { IdKind, IdOf } from '../domain/ids.js';
import type { Instant } from '../domain/time.js';

/**
 * The clock of this process, for durations, timeouts and logs. Dates that partners see come from the storage's clock.
 */
export interface Clock {
  /** Returns the current time in whole milliseconds. */
  now(): Instant;
  /**
   * Resolves after `ms` milliseconds or when the signal aborts. Never rejects. Accepts durations beyond the limit of
   * `setTimeout`.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Creates identifiers: the prefix of the kind, then a part that sorts by creation time. */
export interface IdSource {
  next<Kind extends IdKind>(kind: Kind): IdOf<Kind>;
}

/** A source of randomness. */
export interface Random {
  /** Returns cryptographically secure bytes, for secrets. */
  bytes(count: number): Uint8Array;
  /** Returns a number in [0, 1), for jitter. */
  fraction(): number;
  /** Returns an unguessable, unique token, for leases and request ids. */
  token(): string;
}

/** Clock, identifiers and randomness. */
export interface Runtime {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly random: Random;
}
