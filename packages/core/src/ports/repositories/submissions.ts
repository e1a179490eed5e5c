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
 * Counts requests in fixed windows on the storage's clock. Counting is atomic. A power failure may lose
 * counts.
 */
export interface RateWindowRepository {
  charge(charges: readonly Charge[]): Promise<readonly WindowCount[]>;
  read(bucketIds: readonly string[]): Promise<readonly WindowCount[]>;
  sweep(now: Instant, limit: number): Promise<number>;
}

/** The rows of one accepted submission, added in one commit. */
export interface AcceptedSubmission {
  readonly application: ApplicationRecord;
  readonly idempotency: IdempotencyRecord;
  readonly resume: ResumeFileTask | null;
}

/** A charge that fails if the bucket does not have room for all its requests. */
export interface LimitedCharge extends Charge {
  readonly limit: number;
}

/** Stores submissions with their idempotency records. */
export interface SubmissionRepository {
  /** Includes expired records. */
  findRecords(
    pairs: readonly { readonly keyId: KeyId; readonly idempotencyKey: string }[],
  ): Promise<readonly (IdempotencyRecord | null)[]>;
  /**
   * Adds submissions. Replaces expired idempotency records. `conflict` means that an idempotency key or
   * source id is taken. The caller must then roll back.
   */
  add(submissions: readonly AcceptedSubmission[]): Promise<'added' | 'conflict'>;
  /**
   * Charges buckets and adds submissions; `charges` may be empty. `conflict` means that a bucket is full, or that an
   * idempotency key or source id is taken. The caller must then roll back. This must be the last call of its
   * transaction, because a storage behind a network commits in the same round trip.
   */
  chargeAndAdd(
    charges: readonly LimitedCharge[],
    submissions: readonly AcceptedSubmission[],
  ): Promise<readonly WindowCount[] | 'conflict'>;
  sweep(now: Instant, limit: number): Promise<number>;
}
