import type { IdKind, IdOf } from '../domain/ids.js';
import type { Instant } from '../domain/time.js';

/**
 * The time of this process, for durations, time-outs and logs. What partners see goes by the storage's time instead.
 * Tests bring one that they turn by hand.
 */
export interface Clock {
  /** Now, in whole milliseconds. */
  now(): Instant;
  /**
   * Resolves after that many milliseconds, or as soon as the signal aborts; it never rejects. Any length is
   * allowed, also beyond what a timer takes.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** New identifiers: the kind's prefix and a part that sorts by the time it was made. */
export interface IdSource {
  next<Kind extends IdKind>(kind: Kind): IdOf<Kind>;
}

/** Randomness. */
export interface Random {
  /** Cryptographically strong bytes, for secrets. */
  bytes(count: number): Uint8Array;
  /** Uniform in [0, 1), for jitter. */
  fraction(): number;
  /** A token that nobody can guess and that never repeats, for leases and request ids. */
  token(): string;
}

/** All three, as the use cases take them. */
export interface Runtime {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly random: Random;
}
