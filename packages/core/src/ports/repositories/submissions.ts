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
 * Counts requests in fixed windows on the storage's clock. Atomic and exact across processes, but need not survive a
 * power failure.
 */
export interface RateWindowRepository {
  /** Counts the charges and returns the windows after that. */
  charge(charges: readonly Charge[]): Promise<readonly WindowCount[]>;
  /** Returns the windows without counting. */
  read(bucketIds: readonly string[]): Promise<readonly WindowCount[]>;
  /** Deletes windows that ended before `now`. */
  sweep(now: Instant, limit: number): Promise<number>;
}

/** The rows of one accepted submission, added in one commit. */
export interface AcceptedSubmission {
  readonly application: ApplicationRecord;
  readonly idempotency: IdempotencyRecord;
  /** Null if the candidate has no résumé. */
  readonly resume: ResumeFileTask | null;
}

/** A charge that fails if its bucket has no room for all requests. */
export interface LimitedCharge extends Charge {
  readonly limit: number;
}

/** Stores submissions with their idempotency records. */
export interface SubmissionRepository {
  /** Finds idempotency records, even expired ones. */
  findRecords(
    pairs: readonly { readonly keyId: KeyId; readonly idempotencyKey: string }[],
  ): Promise<readonly (IdempotencyRecord | null)[]>;
  /**
   * Adds applications, idempotency records (replacing expired ones) and résumé tasks. `conflict`: an idempotency key
   * or source id is taken, and the caller must roll back.
   */
  add(submissions: readonly AcceptedSubmission[]): Promise<'added' | 'conflict'>;
  /**
   * Counts, and adds like `add`, and returns the windows in the order of the charges. Returns `conflict` if a bucket has
   * no room for its cost, or a key or source id is bound: the transaction must then roll back. `charges` may be empty.
   *
   * It must be the last call of its transaction. A storage behind a network commits in the same round trip.
   */
  chargeAndAdd(
    charges: readonly LimitedCharge[],
    submissions: readonly AcceptedSubmission[],
  ): Promise<readonly WindowCount[] | 'conflict'>;
  /** Deletes records that expired before `now`. */
  sweep(now: Instant, limit: number): Promise<number>;
}
