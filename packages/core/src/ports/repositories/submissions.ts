import type { ApplicationRecord } from '../../domain/application.js';
import type { IdempotencyRecord } from '../../domain/idempotency.js';
import type { KeyId } from '../../domain/ids.js';
import type { WindowCount } from '../../domain/rate-limit.js';
import type { ResumeFileTask } from '../../domain/resume.js';
import type { Instant } from '../../domain/time.js';

/** Requests to count in one bucket. */
export interface Charge {
  readonly bucketId: string;
  readonly cost: number;
}

/**
 * Counts requests in fixed windows on the storage's clock, so that replicas agree. Counting is atomic and exact
 * across processes, but need not survive a power failure.
 */
export interface RateWindowRepository {
  /** Counts, and returns each bucket's window after that. A batch must not name a bucket twice. */
  charge(charges: readonly Charge[]): Promise<readonly WindowCount[]>;
  /** Returns the windows of the buckets without counting. */
  read(bucketIds: readonly string[]): Promise<readonly WindowCount[]>;
  /** Deletes up to `limit` windows that ended before `now`, and returns their number. */
  sweep(now: Instant, limit: number): Promise<number>;
}

/** The rows of one accepted submission. They are added in one commit. */
export interface AcceptedSubmission {
  readonly application: ApplicationRecord;
  readonly idempotency: IdempotencyRecord;
  /** Null if the candidate has no résumé. */
  readonly resume: ResumeFileTask | null;
}

/** Requests to count in a bucket that must have room for all of them. */
export interface LimitedCharge extends Charge {
  readonly limit: number;
}

/** Stores submissions with their idempotency records. */
export interface SubmissionRepository {
  /** Returns the idempotency record of each pair, even an expired one, or null. */
  findRecords(
    pairs: readonly { readonly keyId: KeyId; readonly idempotencyKey: string }[],
  ): Promise<readonly (IdempotencyRecord | null)[]>;
  /**
   * Adds applications, idempotency records (replacing expired ones) and résumé tasks. Returns `conflict` if an
   * idempotency key or source id is already taken. The caller must then roll back.
   */
  add(submissions: readonly AcceptedSubmission[]): Promise<'added' | 'conflict'>;
  /**
   * Counts the charges and adds the submissions, if each bucket has room. Returns the windows after that, or
   * `conflict` if a bucket has no room or an id is already taken. The caller must then roll back.
   *
   * It must be the last call of its transaction: a storage may commit in the same round trip.
   */
  chargeAndAdd(
    charges: readonly LimitedCharge[],
    submissions: readonly AcceptedSubmission[],
  ): Promise<readonly WindowCount[] | 'conflict'>;
  /** Deletes up to `limit` records that expired before `now`, and returns their number. */
  sweep(now: Instant, limit: number): Promise<number>;
}
