import type { IdKind, IdOf } from '../domain/ids.js';
import type { Instant } from '../domain/time.js';

/** The process's clock, for durations. Dates that partners see come from the storage's clock. */
export interface Clock {
  /** Returns whole milliseconds. */
  now(): Instant;
  /** Resolves after `ms` or when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Creates identifiers that sort by creation time after their prefix. */
export interface IdSource {
  next<Kind extends IdKind>(kind: Kind): IdOf<Kind>;
}

/** A source of randomness. */
export interface Random {
  /** Cryptographically secure. */
  bytes(count: number): Uint8Array;
  /** In [0, 1), for jitter. */
  fraction(): number;
  token(): string;
}

/** Clock, identifiers and randomness. */
export interface Runtime {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly random: Random;
}
