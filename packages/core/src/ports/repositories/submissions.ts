import type { ApplicationRecord } from '../../domain/application.js';
import type { IdempotencyRecord } from '../../domain/idempotency.js';
import type { KeyId } from '../../domain/ids.js';
import type { WindowCount } from '../../domain/rate-limit.js';
import type { ResumeFileTask } from '../../domain/resume.js';
import type { Instant } from '../../domain/time.js';
import type { Charge } from './rate-windows.js';

/** All that one accepted submission leaves behind, in one commit. */
export interface AcceptedSubmission {
  readonly application: ApplicationRecord;
  readonly idempotency: IdempotencyRecord;
  /** Null if the candidate gave no résumé. */
  readonly resume: ResumeFileTask | null;
}

/** Requests to count in a bucket that must have room for all of them. */
export interface LimitedCharge extends Charge {
  readonly limit: number;
}

/** What submitting looks up and leaves behind. */
export interface SubmissionRepository {
  /** For each pair the record that binds the key, expired or not, or null. */
  findRecords(
    pairs: readonly { readonly keyId: KeyId; readonly idempotencyKey: string }[],
  ): Promise<readonly (IdempotencyRecord | null)[]>;
  /**
   * Adds applications, idempotency records (replacing expired ones) and résumé tasks. `conflict`: another
   * process bound one of the keys or source ids meanwhile; the transaction must then be given up.
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
  /** Deletes up to `limit` records that expired before `now`; how many it deleted. */
  sweep(now: Instant, limit: number): Promise<number>;
}
