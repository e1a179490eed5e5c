import type { IdKind, IdOf } from '../domain/ids.js';
import type { Instant } from '../domain/time.js';

/** The process's clock, for durations. Dates that partners see come from the storage's clock. */
export interface Clock {
  /** Returns the time in whole milliseconds. */
  now(): Instant;
  /** Resolves after `ms` or when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Creates identifiers that sort by creation time after their prefix. */
export interface IdSource {
  /** Returns a new id of this kind. */
  next<Kind extends IdKind>(kind: Kind): IdOf<Kind>;
}

/** A source of randomness. */
export interface Random {
  /** Returns cryptographically secure bytes. */
  bytes(count: number): Uint8Array;
  /** Returns a number in [0, 1), for jitter. */
  fraction(): number;
  /** Returns a text that no other call returns, such as a UUID. */
  token(): string;
}

/** Clock, identifiers and randomness. */
export interface Runtime {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly random: Random;
}
