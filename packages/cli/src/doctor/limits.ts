/** The limits from which a check warns or fails. */
export interface DoctorLimits {
  /** The difference of the clocks, in milliseconds. */
  readonly clockWarningMs: number;
  readonly clockFailureMs: number;
  /** The age of a transaction, in milliseconds. */
  readonly transactionWarningMs: number;
  readonly transactionFailureMs: number;
  /** The share of the server's connections that are in use. */
  readonly connectionsWarning: number;
  readonly connectionsFailure: number;
  /** How long erased rows may stay in a SQLite file, in milliseconds. */
  readonly erasedMs: number;
  /** The size of the write-ahead log beside a SQLite file, in bytes. */
  readonly walBytes: number;
  /** The unused space in a SQLite file, in bytes. */
  readonly freeBytes: number;
  /** The space that must be free on the disk of a SQLite file, in bytes. */
  readonly diskBytes: number;
}

const SECOND_MS = 1_000;
export const ONE_MINUTE_MS = 60 * SECOND_MS;
export const ONE_HOUR_MS = 60 * ONE_MINUTE_MS;
export const ONE_DAY_MS = 24 * ONE_HOUR_MS;
const MEGABYTE = 1_000_000;

export const DOCTOR_LIMITS: DoctorLimits = {
  clockWarningMs: SECOND_MS,
  // Receivers reject signatures whose time is wrong by more than five minutes.
  clockFailureMs: ONE_MINUTE_MS,
  transactionWarningMs: 5 * ONE_MINUTE_MS,
  transactionFailureMs: ONE_HOUR_MS,
  connectionsWarning: 0.8,
  connectionsFailure: 0.95,
  erasedMs: ONE_HOUR_MS,
  // Twice the size from which the storage copies the log into the file.
  walBytes: 160 * MEGABYTE,
  freeBytes: 1_000 * MEGABYTE,
  // The log can grow to half of this size before SQLite copies it.
  diskBytes: 160 * MEGABYTE,
};
